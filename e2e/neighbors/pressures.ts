import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { PDFDocument } from 'pdf-lib';
import { addCampaign } from '../../bench/fill-campaign.ts';
import { request } from '../traffic.ts';

export interface Site {
  url: string;
  token: string;
  db: pg.Pool;
  /** The company that does its worst, and a fax number of it. */
  large: number;
  faxNumber: number;
  /** The one that is measured, and a number of it. */
  small: number;
  line: string;
  owner: number;
}

let phones = 0;
export const nextPhone = () => `+1646555${String(1000 + phones++).padStart(4, '0')}`;

/** First and last ID of the large company's numbers at the sandbox carrier, and at one that is away. */
const linesOf = { here: [1, 3], away: [4, 20] } as const;

/** What a company does that could slow others. `one`: the status of one request of `open` at a time. */
interface Pressure {
  what: string;
  open: number;
  one(): Promise<number>;
  begin?(): Promise<void>;
}

export async function pressures(site: Site): Promise<Pressure[]> {
  const { url, token, large } = site;
  const ask = async (path: string, body: object) =>
    (await request(url, path, { token, body })).status;
  const slowList = () =>
    ask('/api/activity', {
      companyId: large,
      groups: [[{ field: 'duration', op: 'gte', value: 3500 }]],
    });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const report = () =>
    ask(`/api/companies/${large}/calls/kpi`, {
      currentRange: { start: day(364), end: day(0) },
      tz: 'America/New_York',
    });
  const page = await onePage();
  const fax = () => sendFax(site, page);
  const anyOf = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));
  const { here, away } = linesOf;
  return [
    { what: '100 slow lists', open: 100, one: slowList },
    { what: '100 reports', open: 100, one: report },
    { what: 'faxes', open: 2, one: fax },
    { what: 'exports', open: 3, one: () => exportTexts(site) },
    { what: 'imports', open: 2, one: () => importContacts(site) },
    { what: 'texts', open: 40, one: () => sendText(site, anyOf(...here)) },
    { what: 'a carrier that is away', open: 20, one: () => sendText(site, anyOf(...away)) },
    {
      what: 'campaigns',
      open: 1,
      one: () => campaignsSend(site),
      begin: () => startCampaigns(site),
    },
  ];
}

/** Twilio, which takes connections and never answers. */
export async function carrierThatIsAway() {
  let asked = 0;
  const server = createServer(() => (asked += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      CARRIER: 'sandbox,twilio',
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'a token',
      TWILIO_API_URL: `http://127.0.0.1:${port}`,
    },
    /** How often it was asked. */
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A text by one of these numbers. */
async function sendText({ url, token, large }: Site, numberId: number): Promise<number> {
  const to = nextPhone();
  const message = 'Are we still on for Friday?';
  const body = { companyId: large, numberId, to, message };
  return (await request(url, '/api/message', { token, key: to, body }, 20_000)).status;
}

/** Three campaigns at once, as many texts a second as a brand may send. */
async function startCampaigns({ db, large }: Site): Promise<void> {
  for (const id of [1, 2, 3])
    await addCampaign(db, large, id, { offset: (id - 1) * 15_000, recipients: 15_000 });
  await db.query('update campaign set wake_at = now() where company_id = $1', [large]);
}

/** 200 where texts of the campaigns went out within the last second. */
async function campaignsSend({ db, large }: Site): Promise<number> {
  const sent = async () =>
    Number(
      (await db.query('select sum(sent_count) n from campaign where company_id = $1', [large]))
        .rows[0].n,
    );
  const before = await sent();
  await pause(1000);
  return (await sent()) > before ? 200 : 408;
}

async function onePage(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText('Intake form');
  return document.save();
}

async function sendFax(site: Site, page: Uint8Array): Promise<number> {
  const form = new FormData();
  form.set('companyId', String(site.large));
  form.set('numberId', String(site.faxNumber));
  form.set('to', '+12125550147');
  form.append('files[]', new Blob([new Uint8Array(page)], { type: 'application/pdf' }), 'a.pdf');
  const answer = await fetch(`${site.url}/api/fax`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}` },
    body: form,
  });
  await answer.text();
  await pause(150);
  return answer.status;
}

/** All texts as a file; one after another, an hour allows ten. */
async function exportTexts({ url, token, large }: Site): Promise<number> {
  const body = { companyId: large, format: 'csv' };
  const { status } = await request(url, '/api/messages/export', { token, body });
  await pause(1000);
  return status;
}

/** Ten thousand contacts of the large company, imported to the end. */
async function importContacts({ url, token, large }: Site): Promise<number> {
  const at = `/api/companies/${large}/contacts/imports`;
  const lines = Array.from({ length: 10_000 }, (_, i) => `Person ${i},+1213${2_000_000 + i}`);
  const form = new FormData();
  form.set('file', new Blob([`name,number\n${lines.join('\n')}`]), 'people.csv');
  const headers = { authorization: `Bearer ${token}` };
  const uploaded = await fetch(url + at, { method: 'POST', headers, body: form });
  if (!uploaded.ok) return uploaded.status;
  const { data } = (await uploaded.json()) as { data: { id: number } };
  const { status } = await request(url, `${at}/${data.id}/start`, { token, body: {} });
  for (let n = 0; n < 200; n++) {
    const now = await request(url, `${at}/${data.id}`, { token });
    if (now.body.data?.state !== 'running') break;
    await pause(250);
  }
  return status;
}
