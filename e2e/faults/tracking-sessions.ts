import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import { withProduct } from '../product.ts';
import { runSessions } from '../tracking/run-sessions.ts';

const secret = '5ec7'.repeat(16);

/**
 * 10,000 (full: 100,000) visits of websites over three web processes that are killed all the time:
 * no number is two visitors' at once, visitors keep and find theirs, numbers rest, and nothing that
 * was answered is lost.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const found = await withProduct({ DEMO: '0', APP_SECRET: secret }, (product, dataDir) =>
    runSessions({
      ...{ sessions: size === 'full' ? 100_000 : 10_000, seed, killEvery: 1000 },
      databaseUrl: product.databaseUrl,
      env: {
        ...{ APP_SECRET: secret, DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'warn' },
        ...{ RATE_USER_PER_MINUTE: '100000000', STATEMENT_SECONDS: '60', MEDIA_PORT: '9' },
      },
    }),
  );
  const { sessions, answers, exhausted, shared, cut, refused, kills, ...wrong } = found;
  const broken = Object.entries(wrong).filter(([, n]) => n > 0);
  const seen = `${sessions} visits, ${answers} answers, ${kills} kills, ${cut} cut off, ${refused} refused, ${exhausted} without a number, ${shared} shared: ${broken.map(([name, n]) => `${name} ${n}`).join(', ') || 'clean'}`;
  return [
    printMetric('tracking-sessions', seen, 'clean', broken.length === 0 && kills > 0 && shared > 0),
  ];
}
