import type { VoiceCommand } from '../../../ports/voice.ts';
import type { Way } from './store.ts';

/** A command and who performs it; null is the call's own carrier. */
export interface Told {
  carrier: string | null;
  command: VoiceCommand;
}

/** The line leads to our own exchange, where browsers are. */
export const bySip = (way: Way): boolean => way.via_number.startsWith('line:');

/**
 * A leg at our exchange was picked up: so is its line, before anybody talks. It costs nothing there, and the person called by
 * somebody in a browser, or asked for a key first, may take longer than a carrier lets a line ring.
 */
export function pickUpLine(leg: string, ways: readonly Way[]): Told[] {
  const way = ways.find((one) => one.leg === leg && one.state === 'arrived' && bySip(one));
  return way?.far_line
    ? [{ carrier: way.carrier, command: { id: `${way.line}:up`, do: 'answer', leg: way.far_line } }]
    : [];
}

/** Commands of a call some of whose legs are at another carrier: what each of the two is told, so that both hear each other over the line. Pure. */
export function throughWays(commands: readonly VoiceCommand[], ways: readonly Way[]): Told[] {
  const wayOf = new Map(ways.map((way) => [way.leg, way]));
  return commands.flatMap((command) => tell(command, wayOf));
}

function tell(command: VoiceCommand, wayOf: ReadonlyMap<string, Way>): Told[] {
  const own = (said: VoiceCommand): Told => ({ carrier: null, command: said });
  /** As the own carrier knows it: the near end of the line stands for a leg that is elsewhere. */
  const here = (leg: string): string => wayOf.get(leg)?.line ?? leg;
  switch (command.do) {
    case 'bridge':
    case 'unbridge': {
      const [one, other] = command.legs;
      const [a, b] = [wayOf.get(one), wayOf.get(other)];
      if (!a && !b) return [own(command)];
      return [
        ...[a, b].flatMap((way) => (way ? tied(command.id, way, command.do === 'bridge') : [])),
        own({ ...command, legs: [here(one), here(other)] }),
      ];
    }
    case 'startRecording':
      return [own({ ...command, legs: [here(command.legs[0]), here(command.legs[1])] })];
    case 'recordSides':
      return [own({ ...command, sides: [command.sides[0].map(here), command.sides[1].map(here)] })];
    case 'join': {
      const way = wayOf.get(command.leg);
      const said = own({
        ...command,
        leg: here(command.leg),
        ...(command.to ? { to: command.to.map(here) } : {}),
      });
      return way ? [...tied(command.id, way, true), said] : [said];
    }
    case 'leave': {
      const way = wayOf.get(command.leg);
      const said = own({ ...command, leg: here(command.leg) });
      return way ? [...tied(command.id, way, false), said] : [said];
    }
    case 'hangup':
    case 'cancelLeg': {
      const way = wayOf.get(command.leg);
      return way ? [{ carrier: way.carrier, command }, ...letGo(command.id, way)] : [own(command)];
    }
    case 'stopRecording':
      return [own(command)];
    default:
      return [{ carrier: wayOf.get(command.leg)?.carrier ?? null, command }];
  }
}

/** The far end of the line and the leg hear each other, or no longer. The line is picked up only now: until then the caller hears it ring. */
function tied(id: string, way: Way, on: boolean): Told[] {
  if (!way.far_line || way.state !== 'arrived') return [];
  const legs: [string, string] = [way.far_line, way.leg];
  if (!on) return [{ carrier: way.carrier, command: { id: `${id}:far`, do: 'unbridge', legs } }];
  return [
    {
      carrier: way.carrier,
      command: { id: `${id}:up:${way.leg}`, do: 'answer', leg: way.far_line },
    },
    { carrier: way.carrier, command: { id: `${id}:far`, do: 'bridge', legs } },
  ];
}

/** Nobody needs the line any more: both its ends are hung up. */
export function letGo(id: string, way: Way): Told[] {
  return [
    { carrier: null, command: { id: `${id}:line`, do: 'hangup', leg: way.line } },
    ...(way.far_line
      ? [
          {
            carrier: way.carrier,
            command: { id: `${id}:farline`, do: 'hangup', leg: way.far_line },
          } as Told,
        ]
      : []),
  ];
}
