import type { TrunkCall } from './sip-trunk.ts';

/** Hz. The tone that outside phones of a simulated carrier send. */
export const callerToneHz = 620;

/**
 * Connects the audio of a conference: a SIP leg receives from the outside phone there, or from the
 * other SIP leg.
 */
export function bridgeAudio(members: readonly { sip?: TrunkCall }[]): void {
  const [lines, phones] = [
    members.flatMap(({ sip }) => sip ?? []),
    members.filter(({ sip }) => !sip),
  ];
  lines.forEach((line, i) => {
    line.speak(phones.length > 0 ? callerToneHz : null);
    line.bridgeTo(phones.length === 0 && lines.length === 2 ? lines[1 - i]! : null);
  });
}
