import { expect, test } from 'vitest';
import { PageRecord } from './page-record.ts';

test('a request that a busy browser tells of before its page waits for the page', async () => {
  const sent: string[] = [];
  const record = new PageRecord(
    async (method) => {
      sent.push(method);
      return {};
    },
    async ({ origin }) => ({
      ...{ kind: 'answer', status: 200, headers: { 'access-control-allow-origin': origin } },
      body: Buffer.from(''),
    }),
  );
  record.mainFrame = 'main';
  const request = { url: 'https://t.example/dni.js', method: 'GET', headers: {} };
  record.take({
    method: 'Fetch.requestPaused',
    params: { requestId: '1', frameId: 'main', request },
  });
  await new Promise(setImmediate);
  expect(sent).toEqual([]);
  record.take({
    method: 'Page.frameNavigated',
    params: { frame: { id: 'main', url: 'https://shop.example/' } },
  });
  await expect.poll(() => sent).toEqual(['Fetch.fulfillRequest']);
});
