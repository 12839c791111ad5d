import type { Answer, support as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fillStates } from '../../../platform/background-fills.ts';
import { mustBe } from '../../../platform/must-be.ts';
import {
  backupStatus,
  callSumsStatus,
  carrierStates,
  diskSpace,
  jobStatus,
  platformFigures,
  retryFailed,
} from '../../../platform/system-status.ts';

type Status = Answer<typeof contract.getSystemStatus>['data'];

/** How the installation is doing, for platform staff. */
export async function getSystemStatus(ctx: Ctx): Promise<Answer<typeof contract.getSystemStatus>> {
  const [jobs, { figures: found, processes }, disk, carriers, backups, callSums, fills, lag] =
    await Promise.all([
      jobStatus(ctx),
      platformFigures(ctx),
      diskSpace(ctx),
      carrierStates(ctx),
      backupStatus(ctx.db),
      callSumsStatus(ctx.db),
      fillStates(ctx.db),
      ctx.db.replicaLag(),
    ]);
  const figures = mustBe(found, 'the applied migrations');
  return {
    data: {
      node: process.version,
      at: ctx.now.toISOString(),
      jobs,
      events: { unpublished: figures.unpublished },
      mail: {
        status: mailHealth(ctx, figures.mail_failed),
        waiting: figures.mail_waiting,
        failed: figures.mail_failed,
      },
      third_parties: thirdParties(ctx, carriers),
      storage: {
        kind: disk ? 'disk' : 's3',
        files: figures.files,
        used_bytes: figures.file_bytes,
        free_bytes: disk && disk.free,
        total_bytes: disk && disk.total,
      },
      database: {
        version: figures.database_version,
        bytes: figures.database_bytes,
        replica: lag === undefined ? null : { behind_seconds: lag },
      },
      processes,
      migrations: {
        applied: figures.migrations,
        last: figures.last_migration,
        last_at: figures.last_migration_at.toISOString(),
      },
      backups: presentBackups(ctx, backups),
      fills: fills
        .filter(({ finished_at: finished }) => finished === null)
        .map(({ name, done, total, changed_at: changed, error }) => ({
          ...{ name, done, total, error },
          changed_at: changed && changed.toISOString(),
        })),
      call_sums: callSums,
    },
  };
}

function presentBackups(
  { settings }: Ctx,
  { good, failed }: Awaited<ReturnType<typeof backupStatus>>,
): Status['backups'] {
  return {
    scheduled: settings.backup.to !== null,
    last_good: good && {
      at: good.at.toISOString(),
      name: good.name,
      place: good.place,
      bytes: good.bytes,
      checked: good.checked_at !== null,
    },
    failed: failed && { at: failed.at.toISOString(), reason: failed.reason },
  };
}

const mailHealth = ({ settings }: Ctx, failed: number): Status['mail']['status'] => {
  if (!settings.canMail) return 'not_set_up';
  return failed > 0 ? 'failing' : 'ok';
};

/** The third parties that this installation uses; of carriers, how their account stands. */
function thirdParties(
  { settings }: Ctx,
  carriers: ReadonlyMap<string, string>,
): Status['third_parties'] {
  const carrierHealth = (name: string): Status['mail']['status'] => {
    const state = carriers.get(name);
    if (state === undefined) return 'set_up';
    return state === 'ok' || state === 'warning' ? 'ok' : 'failing';
  };
  const setUp = (isSetUp: boolean) => (isSetUp ? ('set_up' as const) : ('not_set_up' as const));
  return [
    ...settings.carriers.map((name) => ({ kind: 'carrier', name, status: carrierHealth(name) })),
    { kind: 'fax', name: settings.faxCarrier, status: setUp(settings.faxCarrier !== 'none') },
    { kind: 'push', name: 'push', status: setUp(settings.pushEnabled) },
    { kind: 'mail', name: 'smtp', status: setUp(settings.sendsMail) },
  ];
}

/** Runs failed jobs of one kind again. */
export const retryFailedJobs = async (
  ctx: Ctx,
  job: string,
): Promise<Answer<typeof contract.retryFailedJobs>> => ({
  data: { retried: await retryFailed(ctx, job) },
});
