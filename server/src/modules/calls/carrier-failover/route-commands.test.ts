import { expect, it } from 'vitest';
import type { Interconnect } from './store.ts';
import { routeCommands } from './route-commands.ts';

const interconnect: Interconnect = {
  leg: '1-7.2',
  carrier: 'bandwidth',
  via_number_id: 5,
  via_number: '+14155550002',
  line: '1-7.1000002',
  far_leg: 'c-9',
  from_number: '+14155550001',
  state: 'arrived',
  ring: {
    id: '1-7.3:other',
    do: 'createLeg',
    leg: '1-7.2',
    to: { kind: 'phone', number: '+12125550181' },
    callerId: '+14155550002',
    timeoutSeconds: 20,
    onBehalfOf: null,
  },
};
const told = (...commands: Parameters<typeof routeCommands>[0]) =>
  routeCommands(commands, [interconnect]).map(
    ({ carrier, command }) =>
      `${carrier ?? 'own'} ${command.do} ${'legs' in command ? command.legs.join('+') : 'leg' in command ? command.leg : 'sides' in command ? command.sides.join('|') : ''}`,
  );

it('commands of a call without interconnects go unchanged to its carrier', () => {
  const commands = [
    { id: 'a', do: 'bridge', legs: ['x', 'y'] },
    { id: 'b', do: 'hangup', leg: 'x' },
    { id: 'c', do: 'stopRecording', recordingId: 'r' },
  ] as const;
  expect(routeCommands([...commands] as never, [])).toEqual(
    commands.map((command) => ({ carrier: null, command })),
  );
});
it('bridges both ends and answers the interconnect only then', () => {
  expect(told({ id: 'a', do: 'bridge', legs: ['x', '1-7.2'] })).toEqual([
    'bandwidth answer c-9',
    'bandwidth bridge c-9+1-7.2',
    'own bridge x+1-7.1000002',
  ]);
  expect(told({ id: 'a', do: 'unbridge', legs: ['1-7.2', 'x'] })).toEqual([
    'bandwidth unbridge c-9+1-7.2',
    'own unbridge 1-7.1000002+x',
  ]);
});
it('rooms and recordings use the near end of the interconnect, prompts and holds the leg', () => {
  expect(told({ id: 'a', do: 'join', room: 'r', leg: '1-7.2', role: 'talk' })).toEqual([
    'bandwidth answer c-9',
    'bandwidth bridge c-9+1-7.2',
    'own join 1-7.1000002',
  ]);
  expect(
    told({ id: 'b', do: 'join', room: 'r', leg: 'x', role: 'whisper', to: ['1-7.2'] }),
  ).toEqual(['own join x']);
  expect(
    routeCommands(
      [{ id: 'b', do: 'join', room: 'r', leg: 'x', role: 'whisper', to: ['1-7.2'] }],
      [interconnect],
    )[0]!.command,
  ).toMatchObject({ to: ['1-7.1000002'] });
  expect(
    told(
      { id: 'c', do: 'startRecording', recordingId: 'r', legs: ['x', '1-7.2'] },
      { id: 'd', do: 'recordSides', recordingId: 'r', sides: [['x'], ['1-7.2', 'y']] },
    ),
  ).toEqual(['own startRecording x+1-7.1000002', 'own recordSides x|1-7.1000002,y']);
  expect(
    told(
      { id: 'e', do: 'gather', leg: '1-7.2', prompts: [], maxDigits: 1, timeoutSeconds: 5 },
      { id: 'f', do: 'hold', leg: '1-7.2', on: true, musicId: 1 },
    ),
  ).toEqual(['bandwidth gather 1-7.2', 'bandwidth hold 1-7.2']);
});
it('hanging up the leg hangs up both ends of its interconnect', () => {
  expect(told({ id: 'a', do: 'cancelLeg', leg: '1-7.2', because: 'timeout' })).toEqual([
    'bandwidth cancelLeg 1-7.2',
    'own hangup 1-7.1000002',
    'bandwidth hangup c-9',
  ]);
  expect(
    routeCommands(
      [{ id: 'a', do: 'hangup', leg: '1-7.2' }],
      [{ ...interconnect, state: 'asked', far_leg: null }],
    ).map((t) => t.command.do),
  ).toEqual(['hangup', 'hangup']);
});
it('gives every command a unique id', () => {
  const ids = routeCommands(
    [
      { id: 'a', do: 'bridge', legs: ['x', '1-7.2'] },
      { id: 'b', do: 'unbridge', legs: ['x', '1-7.2'] },
      { id: 'c', do: 'hangup', leg: '1-7.2' },
    ],
    [interconnect],
  ).map((t) => t.command.id);
  expect(new Set(ids).size).toBe(ids.length);
});
