import type { Json } from './openapi-schema.ts';

const text = { type: 'string' };
const fieldsOf = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const answer = (description: string, schema: Json) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The token endpoint of the OpenID provider, which isn't one of the contract's. */
export const tokenOperation: Json = {
  operationId: 'requestOAuthToken',
  tags: ['oauthProvider'],
  summary: 'Exchange a code or a refresh token for tokens (OAuth 2.1, RFC 6749 and 7636)',
  description:
    'Confidential programs authenticate with client_secret_basic or client_secret_post. Codes need PKCE with S256. Each refresh token is used once.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
            ...fieldsOf('code', 'redirect_uri', 'code_verifier', 'refresh_token'),
            ...fieldsOf('client_id', 'client_secret', 'scope', 'resource'),
          },
        },
      },
    },
  },
  responses: {
    200: answer('The tokens', {
      type: 'object',
      required: ['access_token', 'token_type', 'expires_in'],
      properties: {
        ...fieldsOf('access_token', 'token_type', 'refresh_token', 'id_token', 'scope'),
        expires_in: { type: 'integer' },
      },
    }),
    400: answer('An OAuth error', {
      type: 'object',
      required: ['error'],
      properties: fieldsOf('error', 'error_description'),
    }),
    401: answer('The program’s credentials are wrong', {
      type: 'object',
      required: ['error'],
      properties: fieldsOf('error', 'error_description'),
    }),
  },
};
