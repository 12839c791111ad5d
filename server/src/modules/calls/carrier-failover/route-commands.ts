import type { VoiceCommand } from '../../../gateways/voice.ts';
import type { Interconnect } from './store.ts';

/** A command and who performs it; null is the call's own carrier. */
export interface RoutedCommand {
  carrier: string | null;
  command: VoiceCommand;
}

/** The line leads to our own exchange, where browsers are. */
export const isSipInterconnect = (interconnect: Interconnect): boolean =>
  interconnect.via_number.startsWith('line:');

/**
 * A leg at our exchange was picked up: so is its line, before anybody talks. It costs nothing there, and the person called by
 * somebody in a browser, or asked for a key first, may take longer than a carrier lets a line ring.
 */
export function answerInterconnect(
  leg: string,
  interconnects: readonly Interconnect[],
): RoutedCommand[] {
  const interconnect = interconnects.find(
    (one) => one.leg === leg && one.state === 'arrived' && isSipInterconnect(one),
  );
  return interconnect?.far_line
    ? [
        {
          carrier: interconnect.carrier,
          command: { id: `${interconnect.line}:up`, do: 'answer', leg: interconnect.far_line },
        },
      ]
    : [];
}

/** Commands of a call some of whose legs are at another carrier: what each of the two is told, so that both hear each other over the line. Pure. */
export function routeCommands(
  commands: readonly VoiceCommand[],
  interconnects: readonly Interconnect[],
): RoutedCommand[] {
  const interconnectByLeg = new Map(
    interconnects.map((interconnect) => [interconnect.leg, interconnect]),
  );
  return commands.flatMap((command) => routeCommand(command, interconnectByLeg));
}

function routeCommand(
  command: VoiceCommand,
  interconnectByLeg: ReadonlyMap<string, Interconnect>,
): RoutedCommand[] {
  const toOwnCarrier = (said: VoiceCommand): RoutedCommand => ({ carrier: null, command: said });
  /** As the own carrier knows it: the near end of the line stands for a leg that is elsewhere. */
  const nearLeg = (leg: string): string => interconnectByLeg.get(leg)?.line ?? leg;
  switch (command.do) {
    case 'bridge':
    case 'unbridge': {
      const [one, other] = command.legs;
      const [a, b] = [interconnectByLeg.get(one), interconnectByLeg.get(other)];
      if (!a && !b) return [toOwnCarrier(command)];
      return [
        ...[a, b].flatMap((interconnect) =>
          interconnect ? bridgeFarEnd(command.id, interconnect, command.do === 'bridge') : [],
        ),
        toOwnCarrier({ ...command, legs: [nearLeg(one), nearLeg(other)] }),
      ];
    }
    case 'startRecording':
      return [
        toOwnCarrier({ ...command, legs: [nearLeg(command.legs[0]), nearLeg(command.legs[1])] }),
      ];
    case 'recordSides':
      return [
        toOwnCarrier({
          ...command,
          sides: [command.sides[0].map(nearLeg), command.sides[1].map(nearLeg)],
        }),
      ];
    case 'join': {
      const interconnect = interconnectByLeg.get(command.leg);
      const said = toOwnCarrier({
        ...command,
        leg: nearLeg(command.leg),
        ...(command.to ? { to: command.to.map(nearLeg) } : {}),
      });
      return interconnect ? [...bridgeFarEnd(command.id, interconnect, true), said] : [said];
    }
    case 'leave': {
      const interconnect = interconnectByLeg.get(command.leg);
      const said = toOwnCarrier({ ...command, leg: nearLeg(command.leg) });
      return interconnect ? [...bridgeFarEnd(command.id, interconnect, false), said] : [said];
    }
    case 'hangup':
    case 'cancelLeg': {
      const interconnect = interconnectByLeg.get(command.leg);
      return interconnect
        ? [
            { carrier: interconnect.carrier, command },
            ...hangUpInterconnect(command.id, interconnect),
          ]
        : [toOwnCarrier(command)];
    }
    case 'stopRecording':
      return [toOwnCarrier(command)];
    default:
      return [{ carrier: interconnectByLeg.get(command.leg)?.carrier ?? null, command }];
  }
}

/** The far end of the line and the leg hear each other, or no longer. The line is picked up only now: until then the caller hears it ring. */
function bridgeFarEnd(id: string, interconnect: Interconnect, on: boolean): RoutedCommand[] {
  if (!interconnect.far_line || interconnect.state !== 'arrived') return [];
  const legs: [string, string] = [interconnect.far_line, interconnect.leg];
  if (!on)
    return [{ carrier: interconnect.carrier, command: { id: `${id}:far`, do: 'unbridge', legs } }];
  return [
    {
      carrier: interconnect.carrier,
      command: { id: `${id}:up:${interconnect.leg}`, do: 'answer', leg: interconnect.far_line },
    },
    { carrier: interconnect.carrier, command: { id: `${id}:far`, do: 'bridge', legs } },
  ];
}

/** Nobody needs the line any more: both its ends are hung up. */
export function hangUpInterconnect(id: string, interconnect: Interconnect): RoutedCommand[] {
  return [
    { carrier: null, command: { id: `${id}:line`, do: 'hangup', leg: interconnect.line } },
    ...(interconnect.far_line
      ? [
          {
            carrier: interconnect.carrier,
            command: { id: `${id}:farline`, do: 'hangup', leg: interconnect.far_line },
          } as RoutedCommand,
        ]
      : []),
  ];
}
