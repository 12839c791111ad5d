import type { UseFormReturnType } from '@mantine/form';
import type { Answer, BodyIn, webhooks as contract } from '#contract';
import type { DeliveryEvent } from '#contract/integrations/rules';

export type Webhook = Answer<typeof contract.listWebhooks>['data'][number];
type Body = BodyIn<typeof contract.createWebhook>;

/** What the dialog edits: one filter for all events. */
interface Values {
  name: string;
  url: string;
  events: string[];
  minDuration: number | string;
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
    events: of?.rules.map(({ event }) => event) ?? [
      'call.completed',
      'voicemail',
      'message.received',
    ],
    minDuration: rule?.min_duration ?? 0,
    isFirstContactOnly: rule?.first_contact_only ?? false,
    isQualifiedOnly: rule?.qualified_only ?? false,
  };
}

/** What the API gets for the form; what it has no field for stays in each event's rule. */
export const bodyOf = (values: Values, of: Webhook | undefined): Body => ({
  name: values.name,
  url: values.url.trim(),
  status: of?.status ?? 'active',
  rules: (values.events as DeliveryEvent[]).map((event) => ({
    ...of?.rules.find((rule) => rule.event === event),
    event,
    min_duration: Number(values.minDuration) || 0,
    first_contact_only: values.isFirstContactOnly,
    qualified_only: values.isQualifiedOnly,
  })),
});

/** An endpoint as the API takes it, with another status. */
export const withStatus = (of: Webhook, status: Webhook['status']): Body => ({
  ...{ name: of.name, url: of.url, rules: of.rules, status },
});

/** The form's fields by how the API names them. */
export const fieldNames: Readonly<Record<string, string>> = { rules: 'events' };
