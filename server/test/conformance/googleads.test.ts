/** Requests to Google's Data Manager API against Google's own .proto files, which it publishes with its client. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { deliveryRule } from '#contract/integrations/schemas';
import { googleDestination } from '../../src/adapters/googleads/destination.ts';
import { sampleSpeech } from '../../src/modules/integrations/deliveries/sample-facts.ts';

const folders = ['@google-ads/datamanager', 'google-gax'].map((name) =>
  join(import.meta.dirname, '../../../node_modules', name, 'build/protos'),
);
const root = new protobuf.Root();
root.resolvePath = (_, target) =>
  folders.map((folder) => join(folder, target)).find((path) => existsSync(path)) ?? null;
await root.load('google/ads/datamanager/v1/ingestion_service.proto');
const request = root.lookupType('google.ads.datamanager.v1.IngestEventsRequest');
const status = root.lookupType('google.ads.datamanager.v1.RetrieveRequestStatusResponse');

/** What Google reads of a body: what its definitions don't have is gone. Times are of JSON's form. */
function readByGoogle(type: protobuf.Type, body: object): object {
  const withTimes = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'eventTimestamp'
      ? { seconds: Math.floor(Date.parse(String(value)) / 1000), nanos: 0 }
      : value,
  ) as object;
  const read = type.fromObject(withTimes);
  expect(type.verify(read)).toBeNull();
  return JSON.parse(
    JSON.stringify(type.toObject(read, { enums: String, longs: Number })),
    (key, value: unknown) =>
      key === 'eventTimestamp'
        ? new Date((value as { seconds: number }).seconds * 1000).toISOString()
        : value,
  ) as object;
}

const now = new Date('2026-11-21T15:00:00Z');
const rule = deliveryRule.parse({ event: 'qualified', value: { type: 'from_call' } });
/** What is sent of a call whose click has this ID. */
function sentOf(ids: Record<string, string>, more: object = {}) {
  const [place] =
    googleDestination.places?.({
      ...{ customer_id: '111-222-3333', login_customer_id: '777-888-9999' },
      conversion_actions: [{ rule_id: 0, conversion_action_id: '9002' }],
      ...{ rules: [rule], ...more },
    }) ?? [];
  const speech = sampleSpeech(now, 'qualified', {
    config: googleDestination.config.parse(place?.config),
    secret: null,
  });
  const clicks = [{ at: now, ids, cookies: {}, basisPoints: 10_000 }];
  const outgoing = googleDestination.say({
    ...speech,
    rule,
    facts: { ...speech.facts, party: '+12125550147', clicks },
  });
  const step = outgoing.via === 'steps' ? outgoing.steps().next() : null;
  if (!step || step.done) throw new Error('Nothing is sent.');
  return JSON.parse(step.value.request.body) as Record<string, object[]>;
}

describe('an event of the Data Manager API', () => {
  const consent = { ad_user_data: 'GRANTED', ad_personalization: 'GRANTED' };
  test.each([
    ['gclid', { gclid: 'abc' }, {}],
    ['gbraid', { gbraid: 'abc' }, {}],
    ['wbraid', { wbraid: 'abc' }, {}],
    ['a phone number', { gclid: 'abc' }, { enhanced_phone_hash: true, consent }],
  ])('with %s is read by Google as it was meant', (_name, ids, more) => {
    const body = sentOf(ids, more);
    // What is false isn't written.
    const { validateOnly: _validateOnly, ...written } = body;
    expect(readByGoogle(request, body)).toEqual(written);
  });

  test('with a field in the wrong place, or another word, would be noticed', () => {
    const { validateOnly: _validateOnly, ...body } = sentOf({ gclid: 'abc' });
    const misplaced = { ...body, events: [{ ...body['events']?.[0], gclid: 'abc' }] };
    expect(readByGoogle(request, misplaced)).not.toEqual(misplaced);
    const unknown = { ...body, events: [{ ...body['events']?.[0], eventSource: 'TELEPHONE' }] };
    expect(readByGoogle(request, unknown)).not.toEqual(unknown);
  });
});

test('the simulated status has the form of Google’s', () => {
  const body = {
    requestStatusPerDestination: [
      {
        requestStatus: 'FAILED',
        errorInfo: {
          errorCounts: [{ recordCount: 1, reason: 'PROCESSING_ERROR_REASON_INVALID_GCLID' }],
        },
        eventsIngestionStatus: { recordCount: 1 },
      },
    ],
  };
  expect(readByGoogle(status, body)).toEqual(body);
});
