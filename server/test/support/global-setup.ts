import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/platform/migrate.ts';
import { temporaryDatabase } from '../../src/platform/postgres/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of this run's PostgreSQL, as a role that may create databases. */
    databaseServer: string;
    /** Name of a migrated, empty database there, used as a template. */
    databaseTemplate: string;
  }
}

/** Before the first server test: one PostgreSQL for the whole run, migrated once. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const server = await temporaryDatabase();
  const template = 'trunkline_template';
  try {
    await migrate(await server.create(template));
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('databaseServer', server.url);
  project.provide('databaseTemplate', template);
  return server.stop;
}
