import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listPersonalAccessTokens = endpoint<typeof operations.listPersonalAccessTokens>({
  name: 'listPersonalAccessTokens',
  method: 'GET',
  path: '/personalAccessTokens',
  permission: 'apiKeys.own',
  company: 'given',
});

export const createPersonalAccessToken = endpoint<typeof operations.createPersonalAccessToken>({
  name: 'createPersonalAccessToken',
  method: 'POST',
  path: '/personalAccessTokens',
  permission: 'apiKeys.own',
  company: 'given',
  confirms: ({ scopes }) => scopes.includes('admin'),
});

export const deletePersonalAccessToken = endpoint<typeof operations.deletePersonalAccessToken>({
  name: 'deletePersonalAccessToken',
  method: 'DELETE',
  path: '/personalAccessTokens/{id}',
  permission: 'apiKeys.own',
  company: 'object',
});
