import { describe, it } from 'vitest';
import { playScript } from '../test-support/script.ts';
import { alone, talking } from '../test-support/transfer-calls.ts';

describe('three-way calls', () => {
  const three = `${talking}
      Ann adds Cem
      > ring Cem
      Cem answers
      > caller joins (talk)
      > Ann joins (talk)
      > Cem joins (talk)`;
  it('continue when one party leaves and end when one is left', () => {
    playScript(
      alone(),
      `${three}
      caller hangs up
      > Ann leaves the room
      > Cem leaves the room
      > bridge Ann and Cem
      Cem hangs up
      > hang up Ann
      = 12 Connected
      history: 1, 6, 12, 6, 12`,
    );
  });
  it('continue without an agent who hangs up in the app', () => {
    playScript(
      alone(),
      `${three}
      Ann hangs up on the screen
      > hang up Ann
      > caller leaves the room
      > Cem leaves the room
      > bridge caller and Cem
      still going`,
    );
  });
  it('hold only the caller; a third party can be removed', () => {
    playScript(
      alone(),
      `${three}
      the screen asks: hold
      > caller hears music 1
      > caller leaves the room
      the screen asks: hold off
      > caller waits no more
      > caller joins (talk)
      Ann removes Cem
      > hang up Cem
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      still going`,
    );
  });
  it('stay unchanged when the third party does not answer', () => {
    playScript(
      alone(),
      `${talking}
      Ann adds Cem
      > ring Cem
      Cem is busy
      still going
      Ann adds Cem
      > ring Cem
      Ann removes Cem
      > cancel Cem (callerLeft)`,
    );
  });
});

describe('supervisors', () => {
  const watched = `${talking}
      Zed listens
      > ring Zed
      Zed answers
      > caller joins (talk)
      > Ann joins (talk)
      > Zed joins (listen)`;
  it('listen, whisper to the agent, barge in and leave', () => {
    playScript(
      alone(),
      `${watched}
      Zed murmurs
      > Zed joins (whisper to Ann)
      Zed barges
      > Zed joins (talk)
      Zed stops watching
      > hang up Zed
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      caller hangs up
      > hang up Ann
      = 12 Connected
      history: 1, 6, 12`,
    );
  });
  it('leave alone when they hang up in the app, even twice', () => {
    playScript(
      alone(),
      `${watched}
      Zed hangs up on the screen
      > hang up Zed
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      Zed hangs up on the screen
      still going`,
    );
  });
  it('hear neither music nor a consultation and stay with a transferred call', () => {
    playScript(
      alone(),
      `${watched}
      Ann asks Bob first
      > caller leaves the room
      > Ann leaves the room
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      Bob answers
      > Ann waits no more
      > bridge Ann and Bob
      Ann completes
      > unbridge Ann and Bob
      > Zed leaves the room
      > hang up Ann
      > caller waits no more
      > caller joins (talk)
      > Bob joins (talk)
      > Zed joins (listen)
      Zed hangs up
      > caller leaves the room
      > Bob leaves the room
      > bridge caller and Bob
      still going`,
    );
  });
});

it('a recording continues through a transfer: our users share a channel, consultations are left out', () => {
  playScript(
    alone({ record: true }),
    `
      caller calls
      > ring Ann
      Ann answers
      > answer
      > bridge caller and Ann
      > start recording
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      > record caller | nobody
      Bob answers
      > Ann waits no more
      > bridge Ann and Bob
      Ann completes
      > unbridge Ann and Bob
      > hang up Ann
      > caller waits no more
      > bridge caller and Bob
      > record caller | Bob
      Bob adds Cem
      > ring Cem
      Cem answers
      > caller joins (talk)
      > Bob joins (talk)
      > Cem joins (talk)
      > record caller | Bob, Cem
      caller hangs up
      > stop recording
      > Bob leaves the room
      > Cem leaves the room
      > bridge Bob and Cem
      still going`,
  );
});
