import type { TxCtx } from '../../../platform/context.ts';
import { sipTrunkToken } from '../../../platform/sip-trunk-token.ts';
import type { HistoryEntry } from '../../routing/index.ts';
import type { StepBatch } from '../runtime/step-batch.ts';
import { readNumber } from '../../numbers/index.ts';
import type { CallRow } from '../records/store.ts';
import { interconnectLegOf } from './failover-leg.ts';
import { insertInterconnect, type CreateLeg } from './store.ts';

/**
 * People's browsers (and SIP phones) are at our own exchange, whoever carries the call. So where another carrier does, the
 * person is rung there, and the carrier dials a line to it first: a SIP address that is good once, for this leg alone. The
 * engine knows nothing of it. Where carriers cannot reach our exchange, the log says why nobody's browser rings.
 */
export async function bridgeToBrowsers(ctx: TxCtx, row: CallRow, batch: StepBatch): Promise<void> {
  const { exchange } = ctx.gateways.carriers;
  if (row.carrier === exchange?.name) return;
  const callRef = { companyId: ctx.companyId, callId: row.id };
  for (const [i, command] of batch.commands.entries()) {
    if (command.do !== 'createLeg' || command.to.kind !== 'app') continue;
    if (!exchange || !ctx.settings.sipPublic) {
      batch.history.push(
        addHistoryNote(
          ctx,
          batch,
          command,
          `Browsers cannot be rung for numbers of ${ctx.gateways.carriers.byName(row.carrier)?.label ?? row.carrier}: SIP_PUBLIC is not set, so the carrier cannot reach our exchange.`,
        ),
      );
      continue;
    }
    const interconnectLeg = interconnectLegOf(command.leg);
    const carrier = await readNumber(ctx.tx, ctx.companyId, row.number_id);
    const interconnect = {
      leg: command.leg,
      carrier: exchange.name,
      via_number_id: null,
      via_number: `line:${interconnectLeg}`,
      line: interconnectLeg,
      far_line: null,
      from_number: carrier?.number ?? row.to_number,
      state: 'asked' as const,
      ring: { ...command, id: `${command.id}:rung` },
    };
    if (
      !(await insertInterconnect(
        ctx.tx,
        callRef,
        interconnect,
        ctx.now,
        sipTrunkToken(ctx.settings.appSecret, interconnectLeg),
      ))
    )
      continue;
    batch.interconnects.push(interconnect);
    // Nobody picks up who could not be heard: the person is rung when the line is there.
    batch.commands[i] = {
      id: command.id,
      do: 'createLeg',
      leg: interconnectLeg,
      to: { kind: 'line', line: interconnectLeg },
      callerId: interconnect.from_number,
      timeoutSeconds: command.timeoutSeconds + INTERCONNECT_EXTRA_SECONDS,
      onBehalfOf: null,
    };
  }
}

/** A line rings this much longer than the person, so that they are never cut off while they pick up. */
const INTERCONNECT_EXTRA_SECONDS = 20;

function addHistoryNote(
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
