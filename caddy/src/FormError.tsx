import { Alert, Anchor } from '@mantine/core';
import { t, type ApiError } from '#ui';

/** What a larger plan allows. */
const forUpgrade = ['caddy.limit', 'caddy.plus', 'plan.used_up'];

/** What no field of a form shows: the error in the server's words, and the way on. */
export const FormError = ({ error }: { error: ApiError | null }) =>
  error && (
    <Alert color="red" role="alert">
      {error.text} {error.code !== null && forUpgrade.includes(error.code) && <PlanLink />}
    </Alert>
  );

/** To the plans, where a larger one helps. */
export const PlanLink = () => (
  <Anchor href="/caddy/account/plan" inherit underline="always">
    {t('See plans')}
  </Anchor>
);
