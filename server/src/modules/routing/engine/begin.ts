/** The first step of a call. */
import type { LegId, Prompt } from '../../../ports/voice.ts';
import { closeWith, finish } from './finish.ts';
import { sayMenu } from './menu.ts';
import { shown } from './plan.ts';
import { mostHops, noRoute, routeCall } from './route.ts';
import { arm, command, endTurn, newLeg, note, why, type Turn } from './turn.ts';
import type { CallState, Flow, Inbound, Outbound, StepResult, Target, World } from './types.ts';
import { say } from './words.ts';
import { sendToVoicemail } from './voicemail.ts';

/** Seconds the agent's own app has to join the call its user just started. */
const agentJoinSeconds = 20;

function firstTurn(
  flow: Flow,
  call: { callId: string; kind: CallState['kind']; from: string; to: string; firstLeg: LegId },
  world: World,
): Turn {
  const s: CallState = {
    version: 1,
    callId: call.callId,
    kind: call.kind,
    flow,
    from: call.from,
    to: call.to,
    callerName: null,
    callerState: null,
    world,
    draws: 0,
    next: 0,
    phase: { name: 'over' },
    firstLeg: call.firstLeg,
    answered: false,
    waiting: false,
    announced: false,
    legs: [],
    confirming: {},
    refusedKeys: [],
    visited: [],
    timers: [],
    history: [],
    path: [],
    facts: {
      status: 1,
      startedAt: world.now,
      ringingAt: null,
      answeredAt: null,
      connectedAt: null,
      endedAt: null,
      ringSeconds: 0,
      talkSeconds: 0,
      answeredBy: null,
      routeId: null,
      extension: null,
      extensionLabel: null,
      recordings: [],
      endedBy: null,
      abandoned: null,
      emailAlertAddresses: [],
      onHold: false,
    },
    outcome: null,
  };
  return { s, now: world.now, commands: [], historyFrom: 0, pathFrom: 0 };
}

/** A stranger calls one of our numbers. */
export function begin(flow: Flow, inbound: Inbound, world: World): StepResult {
  const turn = firstTurn(
    flow,
    {
      callId: inbound.callId,
      kind: 'inbound',
      from: inbound.from,
      to: inbound.to,
      firstLeg: inbound.leg,
    },
    world,
  );
  const { s } = turn;
  s.callerName = inbound.callerName ?? null;
  s.callerState = inbound.state ?? null;
  s.legs.push({
    id: inbound.leg,
    role: 'caller',
    state: 'ringing',
    target: null,
    group: null,
    startedAt: world.now,
    answeredAt: null,
    endedAt: null,
    cause: null,
  });
  note(turn, 1, { target: flow.number.number });
  why(
    turn,
    'start',
    'inbound call',
    true,
    `${inbound.from.startsWith('+') ? shown(inbound.from) : 'A withheld number'} calls ${flow.number.label === '' ? shown(flow.number.number) : flow.number.label}.`,
    flow.number.number,
  );
  receive(turn);
  return endTurn(turn);
}

function receive(turn: Turn): void {
  const { s } = turn;
  const { flow } = s;
  if (flow.blocked !== null) {
    refuse(turn, 'blocked', 13, 'block list', flow.blocked);
    return;
  }
  if (flow.service === 'notInService') {
    refuse(turn, 'notInService', 10, 'in service', 'This number is not in service.');
    return;
  }
  if (flow.full !== null) {
    refuse(turn, 'busy', 10, 'call limit', flow.full);
    return;
  }
  if (flow.service === 'parked') {
    why(turn, 'screen', 'in service', false, 'The account is parked.');
    if (flow.voicemail.enabled) sendToVoicemail(turn, null, 'The account is parked.');
    else closeWith(turn, [say(flow.words.notInService)], 10, 'The account is parked.');
    return;
  }
  if (flow.hops >= mostHops) {
    why(
      turn,
      'screen',
      'loop guard',
      false,
      `The call was already forwarded ${flow.hops} times inside the company.`,
    );
    sendToVoicemail(turn, null, 'The call was forwarded too often.');
    return;
  }
  const [first, ...others] = flow.routes;
  if (first === undefined) noRoute(turn, 'This number has no route.');
  else if (flow.menu !== null && others.length > 0) sayMenu(turn, flow.menu);
  else routeCall(turn, first.id, 'This number has one route.');
}

function refuse(
  turn: Turn,
  because: 'busy' | 'blocked' | 'notInService',
  status: 10 | 13,
  rule: string,
  reason: string,
): void {
  const { s } = turn;
  why(turn, 'screen', rule, false, reason);
  note(turn, status, { detail: reason });
  command(turn, { do: 'reject', leg: s.firstLeg, because });
  const leg = s.legs[0];
  if (leg !== undefined) leg.state = 'leaving';
  finish(turn, status, reason, 'us');
}

/** An agent calls out: first their own app joins, then the destination is rung and shown `callerId`. */
export function beginOutbound(flow: Flow, outbound: Outbound, world: World): StepResult {
  const turn = firstTurn(
    flow,
    {
      callId: outbound.callId,
      kind: 'outbound',
      from: outbound.callerId,
      to: outbound.to,
      firstLeg: '',
    },
    world,
  );
  const { s } = turn;
  const agent: Target = {
    key: `user:${outbound.userId}`,
    to: {
      kind: 'app',
      userId: outbound.userId,
      companyId: flow.company.id,
      device: outbound.device,
    },
    label: outbound.userName,
    callerId: outbound.callerId,
    forwardId: null,
    timeoutSeconds: agentJoinSeconds,
  };
  const leg = newLeg(turn, 'agent', agent, null);
  s.firstLeg = leg.id;
  note(turn, 1, { target: outbound.to, detail: `Called by ${outbound.userName}` });
  why(
    turn,
    'start',
    'outbound call',
    true,
    `${outbound.userName} calls ${outbound.toLabel}.`,
    outbound.to,
  );
  command(turn, {
    do: 'createLeg',
    leg: leg.id,
    to: agent.to,
    callerId: outbound.callerId,
    timeoutSeconds: agentJoinSeconds,
    onBehalfOf: null,
  });
  s.phase = { name: 'calling', outbound };
  arm(turn, `join:${leg.id}`, agentJoinSeconds);
  return endTurn(turn);
}

/** What the called party hears before the agent when the call is recorded: announce first. */
export function outboundWhisper(flow: Flow): Prompt[] {
  return flow.recording.on ? (flow.recording.announcement ?? []) : [];
}
