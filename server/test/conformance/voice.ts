import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { VoiceCarrier, VoiceCommand } from '../../src/gateways/voice.ts';

interface VoiceUnderTest {
  voice: VoiceCarrier;
  /** An inbound leg that was announced and rings, by its id. */
  inbound(): Promise<string>;
  /** A number that rings and is not answered automatically. */
  to: string;
  callerId: string;
  /** How often the carrier was actually asked to ring. */
  rungCount(): number;
  /** Makes the carrier unreachable, or reachable again. */
  setUnreachable(on: boolean): Promise<void>;
}

/** What every voice carrier must do for the engine. */
export function testVoiceConformance(open: () => Promise<VoiceUnderTest>): void {
  const name = () => `1-${Math.floor(Math.random() * 1e9)}.${Math.floor(Math.random() * 1e6)}`;
  const create = (t: VoiceUnderTest, leg: string, onBehalfOf: string | null): VoiceCommand => ({
    id: name(),
    do: 'createLeg',
    leg,
    to: { kind: 'phone', number: t.to },
    callerId: t.callerId,
    timeoutSeconds: 20,
    onBehalfOf,
  });

  it('commands are idempotent by id', async () => {
    const t = await open();
    const [leg, before] = [name(), t.rungCount()];
    const ring = create(t, leg, await t.inbound());
    await t.voice.perform([ring]);
    await t.voice.perform([ring]);
    expect(t.rungCount() - before).toBe(1);
    const cancel: VoiceCommand = { id: name(), do: 'cancelLeg', leg, because: 'timeout' };
    await t.voice.perform([cancel]);
    await t.voice.perform([cancel]);
  });
  it('the status of a ringing leg is known; that of an unknown leg is null', async () => {
    const t = await open();
    const leg = name();
    await t.voice.perform([create(t, leg, await t.inbound())]);
    expect((await t.voice.getLegStatus(leg))?.state).toMatch(/ringing|answered/);
    expect(await t.voice.getLegStatus(`nobody-${randomUUID()}`)).toBeNull();
    await t.voice.perform([{ id: name(), do: 'hangup', leg: `nobody-${randomUUID()}` }]);
  });
  it('accepts all commands of a conversation in one batch', async () => {
    const t = await open();
    const [a, b] = [await t.inbound(), name()];
    await t.voice.perform([create(t, b, a)]);
    await t.voice.perform([
      { id: name(), do: 'answer', leg: a },
      { id: name(), do: 'hold', leg: a, on: true, musicId: 1 },
      { id: name(), do: 'hold', leg: a, on: false, musicId: null },
      { id: name(), do: 'bridge', legs: [a, b] },
      { id: name(), do: 'startRecording', recordingId: name(), legs: [a, b] },
      { id: name(), do: 'sendDigits', leg: b, digits: '12#' },
      { id: name(), do: 'unbridge', legs: [a, b] },
      { id: name(), do: 'hangup', leg: b },
      { id: name(), do: 'hangup', leg: a },
    ]);
  });
  it('rejects while the carrier is unreachable, and the same commands take effect once later', async () => {
    const t = await open();
    const ring = create(t, name(), await t.inbound());
    const before = t.rungCount();
    await t.setUnreachable(true);
    await expect(t.voice.perform([ring])).rejects.toThrow();
    await t.setUnreachable(false);
    await t.voice.perform([ring]);
    expect(t.rungCount() - before).toBe(1);
  });
}
