import { describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#contract/kit';
import { toApiCall, formFields } from './api.ts';
import { bindFieldErrors } from './form.ts';
import { toApiError } from './api/error.ts';
import { keyName, formatKeys } from './shortcuts.ts';
import { t } from './i18n.ts';

const endpointOf = (method: string, multipart = false) =>
  ({ name: 'x', method, path: '/x', company: 'given', multipart }) as unknown as AnyEndpoint;
describe('the selected company goes where the endpoint expects it (A1)', () => {
  it('a GET has the company in its query, a POST in its body, and a company that was given stays', () => {
    expect(toApiCall(endpointOf('GET'), { query: { page: 2 } }, 7).query).toEqual({
      page: 2,
      companyId: 7,
    });
    expect(toApiCall(endpointOf('POST'), { body: { a: 1 } }, 7).body).toEqual({
      a: 1,
      company_id: 7,
    });
    expect(toApiCall(endpointOf('POST'), { body: { company_id: 9 } }, 7).body).toEqual({
      company_id: 9,
    });
    expect(
      toApiCall({ ...endpointOf('GET'), company: 'none' } as AnyEndpoint, {}, 7).query,
    ).toBeUndefined();
  });
  it('a form body is sent as multipart with the company in it', () => {
    expect(
      toApiCall(endpointOf('POST', true), { body: formFields({ message: 'hi' }) }, 7),
    ).toMatchObject({
      multipart: true,
      body: { message: 'hi', company_id: 7 },
    });
  });
});

describe('field errors find their fields', () => {
  it('snake and camel case names match; errors without a field are returned as unmatched', () => {
    let shown: Record<string, string> = {};
    const form = {
      getValues: () => ({ firstName: '', email: '' }),
      setErrors: (e: Record<string, string>) => void (shown = e),
    };
    const taken = bindFieldErrors(form)(
      toApiError(422, {
        message: 'x',
        errors: { first_name: ['Enter your name.'], email: ['Taken.'], plan: ['Too small.'] },
      }),
    );
    expect(shown).toEqual({ firstName: 'Enter your name.', email: 'Taken.' });
    expect(taken).toEqual(['first_name', 'email']);
  });
});

describe('translation and shortcut labels', () => {
  it('fills in values and plurals', () => {
    expect(t('Sent to {n} people', { n: 3 })).toBe('Sent to 3 people');
    expect(t('{n, plural, one {# call} other {# calls}}', { n: 1 })).toBe('1 call');
    expect(t("Don't {worry}")).toBe("Don't {worry}");
    expect(t("{name}: you're in", { name: "O'Neil {x}" })).toBe("O'Neil {x}: you're in");
  });
  it('key names are the same on every keyboard layout', () => {
    const key = (k: string, more = {}) =>
      keyName({ key: k, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...more });
    expect([
      key('K', { metaKey: true, shiftKey: true }),
      key('k', { ctrlKey: true }),
      key('?', { shiftKey: true }),
      key('Enter', { shiftKey: true }),
    ]).toEqual(['mod+shift+k', 'mod+k', '?', 'shift+Enter']);
    expect(formatKeys('g i')).toEqual(['G', 'I']);
  });
});
