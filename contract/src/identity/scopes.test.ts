import { expect, test } from 'vitest';
import { endpoints } from '../catalogue.ts';
import { requiredScope, scopeAllows, scopes } from './scopes.ts';

const named = (name: string) => endpoints.find((e) => e.name === name)!; // An endpoint we know.

test('reads need read, sends messages:send, calls calls:place and the rest write', () => {
  expect(requiredScope(named('getUser'))).toBe('read');
  expect(requiredScope(named('countContacts'))).toBe('read');
  expect(requiredScope(named('sendMessage'))).toBe('messages:send');
  expect(requiredScope(named('placeCall'))).toBe('calls:place');
  expect(requiredScope(named('createTags'))).toBe('write');
  expect(requiredScope(named('updateCompany'))).toBe('admin');
  expect(scopeAllows(['read'], named('sendMessage'))).toBe(false);
  expect(scopeAllows(['write'], named('getUser'))).toBe(false);
});

test('no token manages sessions, signs anyone in or makes companies', () => {
  for (const name of [
    'createCompany',
    'createOrganization',
    'listTokenSessions',
    'logout',
    'createTokenSession',
    'clearTokenSessions',
  ])
    expect(scopeAllows(scopes, named(name)), name).toBe(false);
});
