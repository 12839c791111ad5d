import type { UseFormReturnType } from '@mantine/form';
import type { Answer, BodyIn, webhooks as contract } from '#contract';
import { rulesOf, whenOf, type When } from '../WhenFields.tsx';

export type Webhook = Answer<typeof contract.listWebhooks>['data'][number];
type Body = BodyIn<typeof contract.createWebhook>;

/** What the dialog edits: one filter for all events. */
interface Values extends When {
  name: string;
  url: string;
  isFirstContactOnly: boolean;
  isQualifiedOnly: boolean;
}
export type Form = UseFormReturnType<Values>;

/** The form of an endpoint; undefined: of a new one. */
export function valuesOf(of: Webhook | undefined): Values {
  const rule = of?.rules[0];
  return {
    name: of?.name ?? '',
    url: of?.url ?? '',
    ...whenOf(of?.rules, ['call.completed', 'voicemail', 'message.received']),
    isFirstContactOnly: rule?.first_contact_only ?? false,
    isQualifiedOnly: rule?.qualified_only ?? false,
  };
}

/** What the API gets for the form; what it has no field for stays in each event's rule. */
export const bodyOf = (values: Values, of: Webhook | undefined): Body => ({
  name: values.name,
  url: values.url.trim(),
  status: of?.status ?? 'active',
  rules: rulesOf(values, of?.rules, {
    first_contact_only: values.isFirstContactOnly,
    qualified_only: values.isQualifiedOnly,
  }),
});

/** An endpoint as the API takes it, with another status. */
export const withStatus = (of: Webhook, status: Webhook['status']): Body => ({
  ...{ name: of.name, url: of.url, rules: of.rules, status },
});

/** The form's fields by how the API names them. */
export const fieldNames: Readonly<Record<string, string>> = { rules: 'events' };
