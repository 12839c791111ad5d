/** Vendors' own API documents, enforced by Prism, where the folder `VENDOR_CONTRACTS` names has them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutboundRequest } from '../../src/gateways/outbound.ts';
import { startPrism } from './prism.ts';

const folder = process.env['VENDOR_CONTRACTS'] ?? '';

/** Whether a vendor's documents are here: a suite that needs them is skipped otherwise, by name. */
export const hasContracts = (vendor: string): boolean =>
  folder !== '' && existsSync(join(folder, vendor));

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}
interface Document {
  paths: Record<string, object>;
  components: { schemas: Record<string, Schema>; [part: string]: unknown };
}

/**
 * Starts a vendor's documents as one.
 * @param strict schemas of requests in which an unknown name is an error of ours
 */
export async function startContracts(
  vendor: string,
  files: readonly string[],
  strict: readonly string[],
) {
  const documents = files.map(
    // Errors of any media type can’t be serialized.
    (file) =>
      JSON.parse(
        readFileSync(join(folder, vendor, file), 'utf8')
          .replaceAll('"*/*"', '"application/json"')
          // What is in another file is in the one document as well.
          .replaceAll(/"\.\.\/[\w/.-]+#/g, '"#'),
      ) as Document & { servers?: unknown },
  );
  const [first] = documents;
  if (!first) throw new Error('No documents.');
  const document = {
    ...first,
    servers: undefined,
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)) as Document['paths'],
    components: {
      ...first.components,
      schemas: Object.assign(
        {},
        ...documents.map(({ components }) => components.schemas),
      ) as Document['components']['schemas'],
    },
  };
  for (const name of strict) {
    const schema = document.components.schemas[name];
    if (!schema) throw new Error(`${vendor} has no ${name}.`);
    schema.additionalProperties = false;
  }
  const { url, close } = await startPrism(document);
  /** Requests by what their document says of them. */
  const judged: { request: string; violation: string | null }[] = [];
  return {
    close,
    judged,
    /** Notes whether the document allows a request. */
    judge: async ({ url: address, method, headers, body }: OutboundRequest): Promise<void> => {
      const { pathname, search } = new URL(address);
      const answer = await fetch(url + pathname + search, {
        method,
        headers: { ...headers },
        ...(body && { body }),
      });
      const text = await answer.text();
      judged.push({
        request: `${method} ${pathname}`,
        violation: answer.status >= 400 ? `${answer.status} ${text}`.slice(0, 600) : null,
      });
    },
  };
}
