import type { BrowserContextOptions, Page } from 'playwright-core';
import pg from 'pg';
import { inject } from 'vitest';
import type { CompanyRole } from '#contract';
import { hashToken, randomToken, seal } from '../server/src/platform/secrets.ts';
import { productUrl, openVisit, type Visit } from './browser.ts';

/**
 * A user of one journey, signed in by password just now: no other journey rings their phone, and
 * what needs a confirmation doesn't ask for the first quarter of an hour.
 */
interface Person {
  id: number;
  email: string;
  first: string;
  token: string;
  cookie: string;
}

/**
 * A company that belongs to one journey, with its own people, so that journeys can run side by side
 * in one installation. Created in the database, because sign-up emails a code and is limited by
 * address.
 */
export interface Company {
  id: number;
  name: string;
  /** By first name. */
  people: Record<string, Person>;
  /** The first of them. */
  owner: Person;
  /** A window of one of them, signed in, at an address of the product. */
  open(address: string, person?: Person, options?: BrowserContextOptions): Promise<Visit>;
  /** Calls the API as the owner (or another user). Throws unless the response is 2xx. */
  ask<T>(method: string, path: string, body?: object, person?: Person): Promise<T>;
  /** Buys a number by area code, which must differ in journeys that run at once. */
  number(areaCode: string, more?: { label?: string; category?: number }): Promise<CompanyNumber>;
  /** Approves a registration for a number, so that it may text at the rate of this score. */
  register(numberId: number, score: number): Promise<void>;
}
interface CompanyNumber {
  id: number;
  number: string;
  formatted: string;
}

export async function createCompany(
  name: string,
  people: Record<string, CompanyRole> = { Olive: 'owner' },
): Promise<Company> {
  const db = new pg.Client({
    connectionString: inject('productDatabase'),
    options: '-c role=trunkline_system',
  });
  await db.connect();
  const one = async (text: string, values: unknown[]): Promise<number> =>
    Number((await db.query<{ id: string }>(text, values)).rows[0]?.id);
  const slug = name.toLowerCase().replace(/[^a-z]+/g, '-');
  const secret = Buffer.from(inject('productSecret'), 'hex');
  const made: Record<string, Person> = {};
  let id = 0;
  try {
    id = await one(
      `insert into company (name, slug, timezone)
      values ($1, $2, 'America/New_York') returning id`,
      [name, slug],
    );
    for (const [first, role] of Object.entries(people)) {
      const email = `${first.toLowerCase()}@${slug}.test`;
      const last = `${role[0]!.toUpperCase()}${role.slice(1)}`;
      const [token, cookie] = [randomToken('tla'), randomToken('tls')];
      const person = await one(
        `insert into person (email, password_hash, first_name, last_name)
        select $1, password_hash, $2, $3 from person where email = 'owner@demo.test'
        returning id`,
        [email, first, last],
      );
      const sip = `u${person}`;
      await db.query(
        `update person set sip_user = $2, sip_address = $3, sip_password_secret = $4
        where id = $1`,
        [person, sip, `sip:${sip}@127.0.0.1`, seal([secret], randomToken('sip'))],
      );
      await db.query(`insert into membership (company_id, user_id, role) values ($1, $2, $3)`, [
        id,
        person,
        role,
      ]);
      await db.query(
        `insert into session (person_id, kind, access_hash, cookie_hash,
        access_expires_at, refresh_expires_at, confirmed_at)
        values ($1, 'browser', $2, $3, now() + interval '1 day', now() + interval '1 day', now())`,
        [person, hashToken(token), hashToken(cookie)],
      );
      made[first] = { id: person, email, first, token, cookie };
    }
  } finally {
    await db.end();
  }

  const owner = Object.values(made)[0]!;
  const company: Company = {
    id,
    name,
    people: made,
    owner,
    open: async (address, person = owner, options = {}) => {
      const opened = await openVisit('about:blank', options);
      const cookies = [{ name: 'trunkline_session', value: person.cookie, url: productUrl() }];
      await opened.context.addCookies(cookies);
      await opened.context.request.get(`${productUrl()}/api/csrf-cookie`);
      await openAs(opened.page, id);
      await opened.page.goto(address);
      return opened;
    },
    ask: async <T>(method: string, path: string, body?: object, person = owner): Promise<T> => {
      const answer = await fetch(`${productUrl()}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${person.token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return (text ? JSON.parse(text) : null) as T;
    },
    number: async (areaCode, { label, category = 2 } = {}) => {
      const wanted = { company_id: id, category, areaCode, limit: 1 };
      const {
        data: [offer],
      } = await company.ask<{ data: { number: string }[] }>('POST', '/numbers/locate', wanted);
      const bought = { company_id: id, numbers: [offer!.number], ...(label ? { label } : {}) };
      return (await company.ask<{ data: CompanyNumber[] }>('POST', '/numbers', bought)).data[0]!;
    },
    register: (numberId, score) => register(id, numberId, score),
  };
  return company;
}

/** From its next load on, a window is in this company; a later choice in it stays. */
async function openAs(page: Page, company: number): Promise<void> {
  await page.addInitScript((id) => {
    if (location.protocol.startsWith('http') && !localStorage.getItem('trunkline.company')) {
      localStorage.setItem('trunkline.company', String(id));
    }
  }, company);
}

async function register(companyId: number, numberId: number, score: number): Promise<void> {
  const db = new pg.Client({
    connectionString: inject('productDatabase'),
    options: '-c role=trunkline_system',
  });
  await db.connect();
  try {
    await db.query(
      `with b as (
        insert into sms_brand (company_id, status, score, created_at, updated_at)
        values ($1, 'approved', $3, now(), now()) returning id),
      c as (insert into sms_campaign (company_id, brand_id, is_draft, details, created_at, updated_at)
        select $1, id, false, '{"monthly_volume": "10,001-25,000"}', now(), now() from b returning id),
      r as (insert into registration_review (company_id, campaign_id, kind, carrier, status, submitted_at)
        select $1, id, 'local', 'sandbox', 'approved', now() from c),
      n as (insert into sms_campaign_number
          (company_id, campaign_id, number_id, number, kind, state, added_at)
        select $1, c.id, n.id, n.number, 'local', 'approved', now()
        from c, number n where n.company_id = $1 and n.id = $2)
      update number set sms_verification_status = 'approved',
        sms_verification_campaign_id = (select id from c)
      where company_id = $1 and id = $2`,
      [companyId, numberId, score],
    );
  } finally {
    await db.end();
  }
}

/**
 * Calls the sandbox carrier as an outside party: texts, calls, phones. Throws unless the response
 * is 2xx.
 */
export async function sandboxRequest<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${productUrl()}/sandbox${path}`, {
    method,
    ...(body
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} /sandbox${path} answered ${answer.status}: ${text}`);
  return (text ? JSON.parse(text) : null) as T;
}
