import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMetric, type Metric } from '../metric.ts';
import { withProduct } from '../product.ts';
import {
  folderOfPostgres,
  hasDebianPostgres,
  initDebianPostgres,
  startDebianPostgres,
} from '../services.ts';
import { operatorRuns, secondsUntil, seen, took } from './kit.ts';

const secret = { APP_SECRET: '7'.repeat(64) };

/**
 * "Disk full", an archive command that fails: the log is kept, `npm run doctor` says so, and it is taken once the command works.
 * That it fills a disk to the end is not waited for: a full disk is caused by `disk`.
 */
export async function archiveFails(): Promise<Metric[]> {
  if (!hasDebianPostgres())
    return [printMetric('archive', 'PostgreSQL 15 is missing', 'is named', 'skipped')];
  const folder = folderOfPostgres(mkdtempSync(join(tmpdir(), 'trunkline-archive-')));
  const [data, archive] = [join(folder, 'data'), folderOfPostgres(join(folder, 'archive'))];
  initDebianPostgres(data);
  const server = await startDebianPostgres(data, ['archive_mode=on', 'max_connections=200']);
  // Before the first segment is full: an empty command waits, and is no failure.
  server.ask(`alter system set archive_command = 'false'`);
  server.ask('select pg_reload_conf()');
  server.client('createdb', 'trunkline');
  const env = { ...secret, DATABASE_URL: server.url('trunkline'), DEMO: '0' };
  try {
    return await withProduct(env, async (_, dataDir) => {
      const doctor = () => operatorRuns({ ...env, DATA_DIR: dataDir }, 'doctor');
      const archived = (more: string) => server.ask(`select ${more} from pg_stat_archiver`) === 't';
      server.ask('select pg_switch_wal()');
      const failing = await secondsUntil(() => archived('failed_count > 0'));
      const during = await doctor();
      const kept = Number(server.ask('select count(*) from pg_ls_waldir()'));
      server.ask(`alter system set archive_command = 'cp %p ${archive}/%f'`);
      server.ask('select pg_reload_conf()');
      const taken = await secondsUntil(
        () => archived('last_archived_time > last_failed_time'),
        150,
      );
      const after = await doctor();
      return [
        took('archive: fails', failing),
        seen(
          'archive: doctor names it',
          /taken nothing of the database’s log so far/.test(during),
          during,
        ),
        seen('archive: the log is kept', kept > 1, String(kept)),
        took('archive: taken once the command works', taken),
        seen('archive: doctor has nothing more to say', !/database’s log/.test(after), after),
      ];
    });
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}
