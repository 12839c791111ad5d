import type { VoiceCommand } from '../../../gateways/voice.ts';
import type { Interconnect } from './store.ts';

/** A command and the carrier that performs it; null = the call's own. */
export interface RoutedCommand {
  carrier: string | null;
  command: VoiceCommand;
}

/** Whether the interconnect is a SIP trunk to our own exchange, where browsers are. */
export const isSipInterconnect = (interconnect: Interconnect): boolean =>
  interconnect.via_number.startsWith('line:');

/**
 * A leg at our exchange was answered: answers its interconnect at once. It costs nothing there, and
 * until the call is bridged (outbound ringing, confirm key) more time may pass than a carrier
 * rings.
 */
export function answerInterconnect(
  leg: string,
  interconnects: readonly Interconnect[],
): RoutedCommand[] {
  const interconnect = interconnects.find(
    (one) => one.leg === leg && one.state === 'arrived' && isSipInterconnect(one),
  );
  return interconnect?.far_leg
    ? [
        {
          carrier: interconnect.carrier,
          command: { id: `${interconnect.line}:up`, do: 'answer', leg: interconnect.far_leg },
        },
      ]
    : [];
}

/**
 * Routes the commands of a call to the carrier of each leg, and bridges legs of different carriers
 * over their interconnect. Pure.
 */
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
  /**
   * The leg as the call's own carrier knows it: the near end of its interconnect, if it has one.
   */
  const nearLeg = (leg: string): string => interconnectByLeg.get(leg)?.line ?? leg;
  const interconnect = 'leg' in command ? interconnectByLeg.get(command.leg) : undefined;
  switch (command.do) {
    case 'bridge':
    case 'unbridge': {
      const [a, b] = command.legs;
      const farEnds = [interconnectByLeg.get(a), interconnectByLeg.get(b)].flatMap((one) =>
        one ? bridgeFarEnd(command.id, one, command.do === 'bridge') : [],
      );
      return [...farEnds, toOwnCarrier({ ...command, legs: [nearLeg(a), nearLeg(b)] })];
    }
    case 'startRecording': {
      const [a, b] = command.legs;
      return [toOwnCarrier({ ...command, legs: [nearLeg(a), nearLeg(b)] })];
    }
    case 'recordSides': {
      const [a, b] = command.sides;
      return [toOwnCarrier({ ...command, sides: [a.map(nearLeg), b.map(nearLeg)] })];
    }
    case 'join':
    case 'leave': {
      const farEnd = interconnect
        ? bridgeFarEnd(command.id, interconnect, command.do === 'join')
        : [];
      const to = command.do === 'join' && command.to ? { to: command.to.map(nearLeg) } : {};
      return [...farEnd, toOwnCarrier({ ...command, leg: nearLeg(command.leg), ...to })];
    }
    case 'hangup':
    case 'cancelLeg':
      if (!interconnect) return [toOwnCarrier(command)];
      return [
        { carrier: interconnect.carrier, command },
        ...hangUpInterconnect(command.id, interconnect),
      ];
    case 'stopRecording':
      return [toOwnCarrier(command)];
    default:
      return [{ carrier: interconnect?.carrier ?? null, command }];
  }
}

const toOwnCarrier = (command: VoiceCommand): RoutedCommand => ({ carrier: null, command });

/**
 * Bridges or unbridges the leg with the far end of its interconnect. The interconnect is answered
 * only now: until then the caller hears it ring.
 */
function bridgeFarEnd(id: string, interconnect: Interconnect, on: boolean): RoutedCommand[] {
  if (!interconnect.far_leg || interconnect.state !== 'arrived') return [];
  const legs: [string, string] = [interconnect.far_leg, interconnect.leg];
  if (!on)
    return [{ carrier: interconnect.carrier, command: { id: `${id}:far`, do: 'unbridge', legs } }];
  return [
    {
      carrier: interconnect.carrier,
      command: { id: `${id}:up:${interconnect.leg}`, do: 'answer', leg: interconnect.far_leg },
    },
    { carrier: interconnect.carrier, command: { id: `${id}:far`, do: 'bridge', legs } },
  ];
}

/** Hangs up both ends of an interconnect. */
export function hangUpInterconnect(id: string, interconnect: Interconnect): RoutedCommand[] {
  return [
    { carrier: null, command: { id: `${id}:line`, do: 'hangup', leg: interconnect.line } },
    ...(interconnect.far_leg
      ? [
          {
            carrier: interconnect.carrier,
            command: { id: `${id}:farline`, do: 'hangup' as const, leg: interconnect.far_leg },
          },
        ]
      : []),
  ];
}
