import { expect, it } from 'vitest';
import type { ApiError } from './api.ts';
import { bindFieldErrors } from './form.ts';

const apiError = (fields: Record<string, string>) => ({ fields }) as ApiError;
it('errors of known fields are set in the form; the others are returned', () => {
  const said: Record<string, string>[] = [];
  const form = {
    getValues: () => ({ companyName: '', to: ['12'], routes: [{ label: '' }], uris: 'a b' }),
    setErrors: (errors: Record<string, string>) => said.push(errors),
  };
  expect(
    bindFieldErrors(form)(
      apiError({
        company_name: 'Too long.',
        'to.0': 'Not a phone number.',
        'routes.0.label': 'Enter a label.',
        'uris.0': 'Use https.',
        'uris.1': 'Too long.',
        elsewhere: 'No.',
      }),
    ),
  ).toEqual(['company_name', 'to.0', 'routes.0.label', 'uris.0', 'uris.1']);
  expect(said).toEqual([
    {
      ...{ companyName: 'Too long.', to: 'Not a phone number.' },
      ...{ 'routes.0.label': 'Enter a label.', uris: 'Use https.' },
    },
  ]);
});
