import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mustBe } from '../../src/platform/must-be.ts';
import { MaxioMock } from '../support/maxio-mock.ts';
import { startPrism } from '../support/prism.ts';
import { createTestApp } from '../support/test-app.ts';
import { hasContracts } from '../support/vendor-contracts.ts';

interface Operation {
  parameters?: object[];
  [part: string]: unknown;
}
type Path = Record<string, Operation> & { parameters?: object[] };

/** What we ask, by the document's paths. */
const asked = [
  ...['/customers.json', '/customers/lookup.json', '/subscriptions.json'],
  ...['/subscriptions/lookup.json', '/products/handle/{api_handle}.json', '/payment_profiles.json'],
  ...['/invoices.json', '/invoices/{uid}.json', '/subscriptions/{subscription_id}/invoices.json'],
  ...['/invoices/{uid}/payments.json', '/invoices/{uid}/void.json', '/invoices/{uid}/refunds.json'],
];
/** Parameters that are in files beside the document, which we don't have. */
const parameters: Record<string, object> = {
  'subscription-id-path': { name: 'subscription_id', in: 'path', required: true, schema: {} },
  'invoice-uid-path': { name: 'uid', in: 'path', required: true, schema: {} },
  page: { name: 'page', in: 'query', schema: { type: 'integer' } },
  'per-page': { name: 'per_page', in: 'query', schema: { type: 'integer', maximum: 200 } },
};
const fileOf = (value: unknown): string | null => {
  const ref = (value as { $ref?: string } | null)?.$ref;
  return ref?.startsWith('./') ? (/([\w-]+)\.yaml$/.exec(ref)?.[1] ?? '') : null;
};

/** What is in other files is left open: a schema allows anything, an unknown parameter is dropped. */
function closed(value: unknown): unknown {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => {
      const file = fileOf(one);
      if (file === null) return [closed(one)];
      return parameters[file] ?? [];
    });
  if (value === null || typeof value !== 'object') return value;
  if (fileOf(value) !== null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
}

describe.skipIf(!hasContracts('maxio'))('against Maxio’s document (VENDOR_CONTRACTS)', async () => {
  if (!hasContracts('maxio')) return;
  const file = join(process.env['VENDOR_CONTRACTS'] ?? '', 'maxio', 'openapi.yaml');
  const whole = parse(readFileSync(file, 'utf8')) as { paths: Record<string, Path> };
  const paths = Object.fromEntries(asked.map((path) => [path, mustBe(whole.paths[path], path)]));
  const prism = await startPrism({
    ...(closed({ ...whole, paths, components: undefined }) as object),
    servers: undefined,
    components: { securitySchemes: { BasicAuth: { type: 'http', scheme: 'basic' } } },
  });
  afterAll(prism.close);
  const maxio = await MaxioMock.start();
  afterAll(maxio.stop);
  const app = await createTestApp({ env: maxio.env });

  test('every request has an address, a method and parameters that it allows, and names that it has', async () => {
    const provider = mustBe(app.services.gateways.payments, 'provider');
    const order = { amountCents: 3900, currency: 'USD', firstAskedAt: new Date() };
    for (const [id, card] of [
      [1, 'pays'],
      [2, 'declines'],
    ] as const) {
      const saved = await provider.saveCard(id, maxio.enterCard(card), new Date());
      if (saved === 'unknown' || 'refused' in saved) throw new Error('no card');
      const key = `trunkline-${id}-1`;
      const outcome = await provider.charge({ ...order, key, cardReference: saved.reference });
      expect(outcome.state).toBe(card === 'pays' ? 'paid' : 'declined');
      if (outcome.state !== 'paid') continue;
      const charge = { key, reference: outcome.reference };
      expect((await provider.refund({ key: 'r1', charge, amountCents: 100 })).state).toBe(
        'refunded',
      );
    }
    const kinds = new Set<string>();
    for (const { method, address, body } of maxio.requests) {
      const path = mustBe(
        asked.find((one) =>
          new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address.split('?')[0] ?? ''),
        ),
        address,
      );
      kinds.add(`${method} ${path}`);
      const answer = await fetch(prism.url + address, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from('k:x').toString('base64')}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body }),
      });
      const text = await answer.text();
      expect([400, 401, 404, 405, 415, 422, 500], `${method} ${address} ${text}`).not.toContain(
        answer.status,
      );
      if (!body) continue;
      // The schemas of bodies are elsewhere, but its words and examples name what they have.
      const said = JSON.stringify(paths[path]);
      for (const name of namesIn(JSON.parse(body)))
        expect(said, `${path}: ${name}`).toContain(name);
    }
    expect(kinds.size).toBe(asked.length);
  });
});

const namesIn = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, part]) => [
        ...(Array.isArray(value) ? [] : [name]),
        ...namesIn(part),
      ])
    : [];
