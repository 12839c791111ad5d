import { expect, it } from 'vitest';
import type { ApiError } from './api.ts';
import { bindFieldErrors } from './form.ts';

const apiError = (fields: Record<string, string>) => ({ fields }) as ApiError;
it('errors of known fields are set in the form; the others are returned', () => {
  const said: Record<string, string>[] = [];
  const form = {
    getValues: () => ({ companyName: '', to: ['12'], routes: [{ label: '' }] }),
    setErrors: (errors: Record<string, string>) => said.push(errors),
  };
  expect(
    bindFieldErrors(form)(
      apiError({
        company_name: 'Too long.',
        'to.0': 'Not a phone number.',
        'routes.0.label': 'Enter a label.',
        elsewhere: 'No.',
      }),
    ),
  ).toEqual(['company_name', 'to.0', 'routes.0.label']);
  expect(said).toEqual([
    { companyName: 'Too long.', to: 'Not a phone number.', 'routes.0.label': 'Enter a label.' },
  ]);
});
