import type { TxCtx } from '../../../platform/context.ts';
import { lineToken } from '../../../platform/one-time-line.ts';
import type { HistoryEntry } from '../../routing/index.ts';
import type { Turn } from '../run-call.ts';
import { readNumber } from '../../numbers/index.ts';
import type { CallRow } from '../store.ts';
import { lineOf } from './go-other-way.ts';
import { enterWay, type CreateLeg } from './store.ts';

/**
 * People's browsers (and SIP phones) are at our own exchange, whoever carries the call. So where another carrier does, the
 * person is rung there, and the carrier dials a line to it first: a SIP address that is good once, for this leg alone. The
 * engine knows nothing of it. Where carriers cannot reach our exchange, the log says why nobody's browser rings.
 */
export async function reachBrowsers(ctx: TxCtx, row: CallRow, turn: Turn): Promise<void> {
  const { exchange } = ctx.ports.carriers;
  if (row.carrier === exchange?.name) return;
  const place = { companyId: ctx.companyId, callId: row.id };
  for (const [i, command] of turn.commands.entries()) {
    if (command.do !== 'createLeg' || command.to.kind !== 'app') continue;
    if (!exchange || !ctx.settings.sipPublic) {
      turn.history.push(
        note(
          ctx,
          turn,
          command,
          `Browsers cannot be rung for numbers of ${ctx.ports.carriers.named(row.carrier)?.label ?? row.carrier}: SIP_PUBLIC is not set, so the carrier cannot reach our exchange.`,
        ),
      );
      continue;
    }
    const line = lineOf(command.leg);
    const own = await readNumber(ctx.tx, ctx.companyId, row.number_id);
    const way = {
      leg: command.leg,
      carrier: exchange.name,
      via_number_id: null,
      via_number: `line:${line}`,
      line,
      far_line: null,
      from_number: own?.number ?? row.to_number,
      state: 'asked' as const,
      ring: { ...command, id: `${command.id}:rung` },
    };
    if (!(await enterWay(ctx.tx, place, way, ctx.now, lineToken(ctx.settings.appSecret, line))))
      continue;
    turn.ways.push(way);
    // Nobody picks up who could not be heard: the person is rung when the line is there.
    turn.commands[i] = {
      id: command.id,
      do: 'createLeg',
      leg: line,
      to: { kind: 'line', line },
      callerId: way.from_number,
      timeoutSeconds: command.timeoutSeconds + LINE_LONGER_SECONDS,
      onBehalfOf: null,
    };
  }
}

/** A line rings this much longer than the person, so that they are never cut off while they pick up. */
const LINE_LONGER_SECONDS = 20;

function note(ctx: TxCtx, turn: Turn, command: CreateLeg, detail: string): HistoryEntry {
  const leg = turn.state.legs.find((one) => one.id === command.leg);
  return {
    at: ctx.now.getTime(),
    code: null,
    label: 'Browser not rung',
    leg: command.leg,
    target: leg?.target?.key ?? null,
    detail,
  };
}
