import { composed, missingTools, withImage, type Image } from '../image.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import type { Env } from '../release.ts';
import { startServices } from '../services.ts';
import { operatorJourney } from './operator.ts';
import { upgradeJourney } from './upgrade.ts';

/** The largest that the image may be, in MB: it is fetched by each server at each upgrade. */
const sizeLimit = 1000;

/**
 * The image of deploy/Dockerfile, built and started without an engine: an operator's way with the
 * database it brings along, with PostgreSQL and Redis as deploy/compose.yaml has them, and an upgrade
 * and back.
 */
export async function run(_: FaultOptions): Promise<Metric[]> {
  const missing = missingTools();
  if (missing.length)
    return [
      printMetric('image', `${missing.join(', ')} missing (apt-get install)`, 'works', 'skipped'),
    ];
  return withImage(async (image) => {
    const { megabytes } = image;
    const figures = [
      printMetric('image: base', image.base, 'shown', true),
      printMetric('image: built', `${image.seconds.toFixed(0)} s`, 'shown', true),
      printMetric('image: size', `${megabytes} MB`, `≤ ${sizeLimit} MB`, megabytes <= sizeLimit),
      ...of('image', await operatorJourney(image)),
      await secondContainer(image),
    ];
    console.log('As deploy/compose.yaml has it:');
    const beside = await startComposed();
    if (beside) {
      try {
        figures.push(...of('composed', await operatorJourney(image, beside.envOf)));
        const env = { ...beside.envOf('first'), APP_SECRET: '1'.repeat(64) };
        const one = await image.start({ ...env, DATA_DIR: image.folder('healthy') });
        const [up, down] = [image.isHealthy(one.url), image.isHealthy('http://127.0.0.1:9')];
        const seen = `${up ? 'up' : 'down'}, then ${down ? 'up' : 'down'}`;
        figures.push(printMetric('image: health check', seen, 'up, then down', up && !down));
        await one.stop();
      } finally {
        await beside.stop();
      }
    } else {
      const what = 'PostgreSQL 15 or Redis missing (apt-get install)';
      figures.push(printMetric('composed', what, 'works', 'skipped'));
    }
    console.log('An upgrade, and back:');
    return [...figures, ...of('image', await upgradeJourney(image))];
  });
}

/** Two containers on one `/data`, each with the PostgreSQL that it brings along. */
async function secondContainer(image: Image): Promise<Metric> {
  const settings = { APP_SECRET: '2'.repeat(64), BACKUP_PASSPHRASE: 'only the operator knows' };
  const env = { ...settings, DATA_DIR: image.folder('shared') };
  const one = await image.start(env);
  const said = image.apart(env, 'backup', '/backups');
  const isRefused = said.includes('already running from /data, in another container');
  const isUp = image.isHealthy(one.url);
  await one.stop();
  const seen = `${isRefused ? 'refused' : said.trim()}, the first ${isUp ? 'up' : 'down'}`;
  const pass = isRefused && isUp;
  return printMetric('image: second container', seen, 'refused, the first up', pass);
}

const of = (form: string, figures: Metric[]): Metric[] =>
  figures.map((one) => ({ ...one, id: `${form}, ${one.id}` }));

/** What compose.yaml starts beside the product, as Debian has it. Null: it isn't installed. */
async function startComposed() {
  const services = await startServices();
  if (!services) return null;
  /** Each machine has a database of its own; the lost one's is lost, too. */
  const envOf = (machine: 'first' | 'second'): Env => {
    for (const one of ['first', 'second']) services.dropDatabase(one);
    services.createDatabase(machine);
    const { HOST, TRUST_PROXY, DATABASE_URL, REDIS_URL } = composed().trunkline.environment;
    return {
      HOST: HOST ?? '',
      TRUST_PROXY: TRUST_PROXY ?? '',
      DATABASE_URL: (DATABASE_URL ?? '')
        .replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, 'trusted')
        .replace(':5432/trunkline', `:${services.port}/${machine}`),
      REDIS_URL: (REDIS_URL ?? '').replace(':6379', `:${services.redisPort}`),
    };
  };
  return { envOf, stop: services.stop };
}
