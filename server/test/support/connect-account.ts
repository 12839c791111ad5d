import { expect } from 'vitest';
import { connections, oauthIntegrations } from '#contract';
import type { TestApp, TestPerson } from './test-app.ts';

type App = Pick<TestApp, 'as' | 'services'>;

/** Where a person is asked to consent, as the path of a demo's server. */
export async function consentPage(app: App, person: TestPerson, provider: string): Promise<string> {
  const { body, status } = await app.as(person).request(connections.redirectToOAuthProvider, {
    params: { companyId: person.companyId, provider },
  });
  expect(status).toBe(200);
  const url = new URL(body.data.url);
  return url.pathname + url.search;
}

/** Presses a button of that page; the path and query of the app that the person ends up at. */
export async function answerConsent(
  app: App,
  person: TestPerson,
  page: string,
  account: 'main' | 'test' | 'none' = 'main',
): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${page}&account=${account}`;
  const answered = await app.as(person).inject({ method: 'POST', url, headers, payload: '' });
  expect(answered.status).toBe(303);
  const back = new URL(String(answered.headers['location']));
  const ended = await app.as(person).inject({ method: 'GET', url: back.pathname + back.search });
  expect(ended.status).toBe(302);
  const page2 = new URL(String(ended.headers['location']));
  return page2.pathname + page2.search;
}

/** Connects an account at a simulated provider as a person does, and returns its ID. */
export async function connectAccount(
  app: App,
  person: TestPerson,
  provider: string,
): Promise<number> {
  const page = await consentPage(app, person, provider);
  expect(await answerConsent(app, person, page)).toContain('outcome=connected');
  const { body } = await app.as(person).request(oauthIntegrations.listOAuthIntegrations, {
    params: { companyId: person.companyId },
  });
  return body.data.find((one) => one.provider === provider)?.id ?? 0;
}
