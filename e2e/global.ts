import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startReadyProduct, removeDataDir, temporaryDataDir } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the product under test, without a trailing slash. */
    productUrl: string;
    /** Its database, for what no screen shows. */
    productDatabase: string;
    /** Where SIP phones connect. */
    productSip: number;
    /** Its APP_SECRET, hexadecimal: journeys create people with credentials. */
    productSecret: string;
  }
}

/** `npm start` on a fresh data directory: one product for all journeys. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = temporaryDataDir();
  const sipPort = process.env.SIP_PORT ?? String(30_000 + Math.floor(Math.random() * 2000));
  const secret = randomBytes(32).toString('hex');
  try {
    const product = await startReadyProduct(dataDir, { SIP_PORT: sipPort, APP_SECRET: secret });
    project.provide('productUrl', product.url);
    project.provide('productDatabase', product.databaseUrl);
    project.provide('productSip', product.sipPort);
    project.provide('productSecret', secret);
    return async () => {
      await product.stop();
      removeDataDir(dataDir);
    };
  } catch (error) {
    removeDataDir(dataDir);
    // Vitest may fail to print it: it looks for a source map of a module that it has kept.
    console.error(String(error));
    throw error;
  }
}
