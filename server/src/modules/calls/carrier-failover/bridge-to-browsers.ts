import type { TxCtx } from '../../../platform/context.ts';
import { sipTrunkToken } from '../../../platform/sip-trunk-token.ts';
import type { HistoryEntry } from '../../routing/index.ts';
import type { StepBatch } from '../runtime/step-batch.ts';
import { readNumber } from '../../numbers/index.ts';
import type { CallRow } from '../records/store.ts';
import { interconnectLegOf } from './failover-leg.ts';
import { insertInterconnect, type CreateLeg, type Interconnect } from './store.ts';

/**
 * Browsers and SIP phones are at our own exchange, whichever carrier has the call. For calls of
 * other carriers the carrier first dials an interconnect, a one-time SIP address of our exchange,
 * and the app leg rings there. The engine is not involved. If carriers cannot reach our exchange,
 * the call's history says why no browser rings.
 */
export async function bridgeToBrowsers(ctx: TxCtx, row: CallRow, batch: StepBatch): Promise<void> {
  const { exchange } = ctx.gateways.carriers;
  if (row.carrier === exchange?.name) return;
  const callRef = { companyId: ctx.companyId, callId: row.id };
  for (const [i, command] of batch.commands.entries()) {
    if (command.do !== 'createLeg' || command.to.kind !== 'app') continue;
    if (!exchange || !ctx.settings.sipPublic) {
      const label = ctx.gateways.carriers.byName(row.carrier)?.label ?? row.carrier;
      const detail = `Browsers can’t be rung for numbers at ${label}: SIP_PUBLIC isn’t set, so the carrier can’t reach our exchange.`;
      batch.history.push(notRungEntry(ctx, batch, command, detail));
      continue;
    }
    const interconnect = await interconnectToExchange(ctx, row, exchange.name, command);
    const token = sipTrunkToken(ctx.settings.appSecret, interconnect.line);
    if (!(await insertInterconnect(ctx.tx, callRef, interconnect, ctx.now, token))) continue;
    batch.interconnects.push(interconnect);
    // The interconnect first: the person is rung when it arrives, so that they have audio on
    // answer.
    batch.commands[i] = {
      id: command.id,
      do: 'createLeg',
      leg: interconnect.line,
      to: { kind: 'line', line: interconnect.line },
      callerId: interconnect.from_number,
      timeoutSeconds: command.timeoutSeconds + INTERCONNECT_EXTRA_SECONDS,
      onBehalfOf: null,
    };
  }
}

/** An interconnect rings this much longer than its leg, so that it never ends first. */
const INTERCONNECT_EXTRA_SECONDS = 20;

async function interconnectToExchange(
  ctx: TxCtx,
  row: CallRow,
  exchange: string,
  command: CreateLeg,
): Promise<Interconnect> {
  const interconnectLeg = interconnectLegOf(command.leg);
  const number = await readNumber(ctx.tx, ctx.companyId, row.number_id);
  return {
    leg: command.leg,
    carrier: exchange,
    via_number_id: null,
    via_number: `line:${interconnectLeg}`,
    line: interconnectLeg,
    far_leg: null,
    from_number: number?.number ?? row.to_number,
    state: 'asked',
    ring: { ...command, id: `${command.id}:rung` },
  };
}

function notRungEntry(
  ctx: TxCtx,
  batch: StepBatch,
  command: CreateLeg,
  detail: string,
): HistoryEntry {
  const leg = batch.state.legs.find((one) => one.id === command.leg);
  return {
    at: ctx.now.getTime(),
    code: null,
    label: 'Browser not rung',
    leg: command.leg,
    target: leg?.target?.key ?? null,
    detail,
  };
}
