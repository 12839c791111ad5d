import type { TrunkCall } from './sip-trunk.ts';

/** Outside phones of a simulated carrier speak this tone (Hz). */
export const callerToneHz = 620;

/** Those of a conference hear each other: a line by SIP is spoken to by the outside phone there, or by the other line. */
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
