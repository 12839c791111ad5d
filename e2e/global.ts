import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { startReadyProduct, removeDataDir, temporaryDataDir } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product under test answers, without a slash at the end. */
    productUrl: string;
    /** Its database, for what no screen shows. */
    productDatabase: string;
    /** Where SIP phones find it. */
    productSip: number;
    /** The secret it seals with, hexadecimal: journeys make people with credentials of their own. */
    productSecret: string;
  }
}

/** `npm start` on a fresh machine, in a place of its own: one product for all journeys. */
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
    throw error;
  }
}
