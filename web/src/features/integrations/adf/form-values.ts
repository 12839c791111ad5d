import type { UseFormReturnType } from '@mantine/form';
import type { adf as contract, Answer, BodyIn } from '#contract';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import { adfSubject } from '#contract/integrations/adf/rules';

export type Adf = Answer<typeof contract.listAdfIntegrations>['data'][number];
type Body = BodyIn<typeof contract.createAdfIntegration>;
type AuthType = 'none' | 'keep' | 'basic' | 'bearer' | 'header';

/** What the dialog edits; what it has no field for stays as it is. */
interface AdfForm {
  name: string;
  isActive: boolean;
  delivery: 'email' | 'https';
  to: string[];
  cc: string[];
  subject_template: string;
  placement: 'body' | 'attachment';
  url: string;
  authType: AuthType;
  authName: string;
  authSecret: string;
  dealerId: string;
  dealerName: string;
  dealerPhone: string;
  dealerEmail: string;
  event: DeliveryEvent;
  minDuration: number | string;
  isFirstContactOnly: boolean;
  recordingLink: boolean;
  transcript: boolean;
  summary: boolean;
  source: boolean;
  withVehicle: boolean;
}

export type Form = UseFormReturnType<AdfForm>;

/** The form of an integration; undefined: of a new one. */
export function formOf(of: Adf | undefined): AdfForm {
  const rule = of?.rules[0];
  return {
    name: of?.name ?? '',
    isActive: of === undefined || of.status === 'active',
    delivery: of?.delivery ?? 'email',
    to: of?.to ?? [],
    cc: of?.cc ?? [],
    subject_template: of?.subject_template ?? adfSubject,
    placement: of?.placement ?? 'body',
    url: of?.url ?? '',
    authType: of?.auth ? 'keep' : 'none',
    authName: '',
    authSecret: '',
    dealerId: of?.dealer.id ?? '',
    dealerName: of?.dealer.name ?? '',
    dealerPhone: of?.dealer.phone ?? '',
    dealerEmail: of?.dealer.email ?? '',
    event: deliveryEvents.find((event) => event === rule?.event) ?? 'call.completed',
    minDuration: rule?.min_duration ?? 0,
    isFirstContactOnly: rule?.first_contact_only ?? true,
    recordingLink: of?.include.recording_link ?? false,
    transcript: of?.include.transcript ?? false,
    summary: of?.include.summary ?? true,
    source: of?.include.source ?? true,
    withVehicle: of?.vehicle_from === 'custom_fields',
  };
}

function authOf({ authType, authName, authSecret }: AdfForm): Body['auth'] {
  if (authType === 'keep') return undefined;
  if (authType === 'basic') return { type: 'basic', username: authName, password: authSecret };
  if (authType === 'bearer') return { type: 'bearer', token: authSecret };
  return authType === 'header' ? { type: 'header', name: authName, value: authSecret } : null;
}

/** What the API gets for the form; further rules and fields of the integration stay. */
export function bodyOf(values: AdfForm, of: Adf | undefined): Body {
  const auth = authOf(values);
  return {
    ...(of && { provider: of.provider, lead_types: of.lead_types, timezone: of.timezone }),
    name: values.name,
    status: values.isActive ? 'active' : 'inactive',
    delivery: values.delivery,
    to: values.to,
    cc: values.cc,
    subject_template: values.subject_template,
    placement: values.placement,
    url: values.delivery === 'https' ? values.url.trim() : (of?.url ?? null),
    ...(auth !== undefined && { auth }),
    dealer: {
      ...of?.dealer,
      id: values.dealerId,
      name: values.dealerName,
      phone: values.dealerPhone,
      email: values.dealerEmail,
    },
    rules: [
      {
        ...of?.rules[0],
        event: values.event,
        min_duration: Number(values.minDuration) || 0,
        first_contact_only: values.isFirstContactOnly,
      },
      ...(of?.rules.slice(1) ?? []),
    ],
    include: {
      custom_fields: of?.include.custom_fields ?? [],
      recording_link: values.recordingLink,
      transcript: values.transcript,
      summary: values.summary,
      source: values.source,
    },
    vehicle_from: values.withVehicle ? 'custom_fields' : 'none',
  };
}

/** The form's fields by how the API names them. */
export const fieldNames: Readonly<Record<string, string>> = {
  'dealer.id': 'dealerId',
  'dealer.name': 'dealerName',
  'dealer.phone': 'dealerPhone',
  'dealer.email': 'dealerEmail',
  'auth.username': 'authName',
  'auth.name': 'authName',
  'auth.password': 'authSecret',
  'auth.token': 'authSecret',
  'auth.value': 'authSecret',
  'rules.0.min_duration': 'minDuration',
};
