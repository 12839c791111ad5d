/** The first step of a call. */
import { isNumber, partyName } from '#contract/party';
import type { LegId, Prompt } from '../../../gateways/voice.ts';
import { playAndHangUp, finish } from './finish.ts';
import { displayNumber } from './ringing/destinations.ts';
import { maxHops } from './route.ts';
import { askForOne, enterNumber } from './screening.ts';
import {
  startTimer,
  addCommand,
  finishStep,
  addLeg,
  addHistoryEntry,
  explain,
  type Step,
} from './step-context.ts';
import type {
  CallState,
  Flow,
  Inbound,
  Outbound,
  StepResult,
  Target,
  EngineInputs,
} from './types.ts';
import { sayPrompt } from './labels.ts';
import { sendToVoicemail } from './voicemail.ts';

/** Seconds the agent's app has to join a call its user placed. */
const agentJoinTimeoutSeconds = 20;

function firstStep(
  flow: Flow,
  call: { callId: string; kind: CallState['kind']; from: string; to: string; firstLeg: LegId },
  inputs: EngineInputs,
): Step {
  const s: CallState = {
    version: 1,
    callId: call.callId,
    kind: call.kind,
    flow,
    from: call.from,
    to: call.to,
    callerName: null,
    callerState: null,
    world: inputs,
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
      startedAt: inputs.now,
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
  return { s, now: inputs.now, commands: [], historyFrom: 0, pathFrom: 0 };
}

/** Starts an inbound call to one of our numbers. */
export function begin(flow: Flow, inbound: Inbound, inputs: EngineInputs): StepResult {
  const step = firstStep(
    flow,
    {
      callId: inbound.callId,
      kind: 'inbound',
      from: inbound.from,
      to: inbound.to,
      firstLeg: inbound.leg,
    },
    inputs,
  );
  const { s } = step;
  s.callerName = inbound.callerName ?? null;
  s.callerState = inbound.state ?? null;
  s.legs.push({
    id: inbound.leg,
    role: 'caller',
    state: 'ringing',
    target: null,
    group: null,
    startedAt: inputs.now,
    answeredAt: null,
    endedAt: null,
    cause: null,
  });
  addHistoryEntry(step, 1, { target: flow.number.number });
  const caller = isNumber(inbound.from)
    ? displayNumber(inbound.from)
    : partyName(inbound.from, 'A withheld number');
  const called = flow.number.label === '' ? displayNumber(flow.number.number) : flow.number.label;
  explain(step, 'start', 'inbound call', true, `${caller} calls ${called}.`, flow.number.number);
  receiveCall(step);
  return finishStep(step);
}

/** Screens the call, then plays the menu or enters the first route. */
function receiveCall(step: Step): void {
  const { s } = step;
  const { flow } = s;
  if (flow.blocked !== null) {
    rejectInbound(step, 'blocked', 13, 'block list', flow.blocked);
    return;
  }
  if (flow.service === 'notInService') {
    rejectInbound(step, 'notInService', 10, 'in service', 'This number isn’t in service.');
    return;
  }
  if (flow.full !== null) {
    rejectInbound(step, 'busy', 10, 'call limit', flow.full);
    return;
  }
  if (flow.service === 'parked') {
    explain(step, 'screen', 'in service', false, 'The account is parked.');
    if (flow.voicemail.enabled) sendToVoicemail(step, null, 'The account is parked.');
    else playAndHangUp(step, [sayPrompt(flow.words.notInService)], 10, 'The account is parked.');
    return;
  }
  if (flow.hops >= maxHops) {
    explain(
      step,
      'screen',
      'loop guard',
      false,
      `The call was already forwarded ${flow.hops} times within the company.`,
    );
    sendToVoicemail(step, null, 'The call was forwarded too many times.');
    return;
  }
  if (flow.screening) askForOne(step);
  else enterNumber(step);
}

function rejectInbound(
  step: Step,
  because: 'busy' | 'blocked' | 'notInService',
  status: 10 | 13,
  rule: string,
  reason: string,
): void {
  const { s } = step;
  explain(step, 'screen', rule, false, reason);
  addHistoryEntry(step, status, { detail: reason });
  addCommand(step, { do: 'reject', leg: s.firstLeg, because });
  const leg = s.legs[0];
  if (leg !== undefined) leg.state = 'leaving';
  finish(step, status, reason, 'us');
}

/** Starts an outbound call: the agent's app joins first, then the destination is rung. */
export function beginOutbound(flow: Flow, outbound: Outbound, inputs: EngineInputs): StepResult {
  const step = firstStep(
    flow,
    {
      callId: outbound.callId,
      kind: 'outbound',
      from: outbound.callerId,
      to: outbound.to,
      firstLeg: '',
    },
    inputs,
  );
  const { s } = step;
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
    timeoutSeconds: agentJoinTimeoutSeconds,
  };
  const leg = addLeg(step, 'agent', agent, null);
  s.firstLeg = leg.id;
  addHistoryEntry(step, 1, { target: outbound.to, detail: `Called by ${outbound.userName}` });
  explain(
    step,
    'start',
    'outbound call',
    true,
    `${outbound.userName} calls ${outbound.toLabel}.`,
    outbound.to,
  );
  addCommand(step, {
    do: 'createLeg',
    leg: leg.id,
    to: agent.to,
    callerId: outbound.callerId,
    timeoutSeconds: agentJoinTimeoutSeconds,
    onBehalfOf: null,
  });
  s.phase = { name: 'calling', outbound };
  startTimer(step, `join:${leg.id}`, agentJoinTimeoutSeconds);
  return finishStep(step);
}

/** The recording announcement the called party hears before it is connected; empty = none. */
export function outboundWhisper(flow: Flow): Prompt[] {
  return flow.recording.on ? (flow.recording.announcement ?? []) : [];
}
