/** Records of Salesforce, as a call or text fills them. */
import type { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { CrmField } from '#contract/integrations/oauth-integrations/rules';
import type { DeliveryFacts } from '../../gateways/destination.ts';
import { callLines, callTitle, externalIdOf, nameOf, phoneOf } from '../shared/crm-call.ts';
import { crmFieldValues } from '../shared/crm-field-values.ts';

export const salesforceConfig = oauthConfigs.salesforce.omit({ rules: true, match_by: true });
export type SalesforceConfig = z.infer<typeof salesforceConfig>;

/** Characters of a long text area. */
const LONGEST = 32_000;
type Fields = Readonly<Record<string, string>>;

const known = (fields: Record<string, string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Written where a name or a lead's company isn't known: Salesforce wants them. */
export const unknownName = 'Unknown Caller';
export const unknownCompany = 'Unknown';

/** What is known of a person, by Salesforce's names. Last name and a lead's company must be there. */
export function personFields(facts: DeliveryFacts, config: SalesforceConfig): Fields {
  const { first, last } = nameOf(facts);
  const values = crmFieldValues(facts);
  const mapped = Object.fromEntries(
    Object.entries(config.field_map).map(([ours, theirs]) => [theirs, values[ours as CrmField]]),
  );
  return known({
    Phone: phoneOf(facts) ?? '',
    // Of one word the whole is the last name.
    FirstName: last ? first : '',
    LastName: last || first || unknownName,
    Email: facts.contact?.email ?? '',
    ...(config.object === 'Lead' && {
      Company: facts.contact?.companyName || unknownCompany,
      LeadSource: facts.source?.label ?? 'Phone',
    }),
    OwnerId: config.owner_rule ?? '',
    ...mapped,
  });
}

interface Activity {
  type: 'Task' | 'Case';
  fields: object;
  /** By which it is found again. */
  key: { field: string; value: string };
}

/** What is logged of it; null: nothing, as the account is set up. */
export function activityOf(
  facts: DeliveryFacts,
  config: SalesforceConfig,
  personId: string | null,
): Activity | null {
  const isCall = facts.subject.type === 'call';
  if (isCall ? !config.log_calls : !config.log_messages || facts.text === null) return null;
  const external = externalIdOf(facts);
  const title = isCall ? callTitle(facts) : `${facts.outbound ? 'Outbound' : 'Inbound'} text`;
  const lines = [
    ...(facts.text ? [facts.text] : []),
    ...callLines(facts).map(([label, value]) => `${label}: ${value}`),
    ...(isCall && config.attach_recording_link && facts.hasRecording ? ['Has a recording'] : []),
    // It leads to the app, which asks who one is.
    `Open in Trunkline: ${facts.link}`,
  ];
  const description = lines.join('\n').slice(0, LONGEST);
  if (config.object === 'Case') {
    const subject = `${title} (${external})`;
    return {
      type: 'Case',
      key: { field: 'Subject', value: subject },
      fields: {
        ...{ Subject: subject, Origin: 'Phone', Description: description },
        ...(personId?.startsWith('003') && { ContactId: personId }),
        SuppliedPhone: phoneOf(facts) ?? '',
        ...(config.owner_rule && { OwnerId: config.owner_rule }),
      },
    };
  }
  return {
    type: 'Task',
    key: { field: 'CallObject', value: external },
    fields: {
      ...{ Subject: title, Status: 'Completed', Description: description, CallObject: external },
      ActivityDate: facts.happenedAt.toISOString().slice(0, 10),
      ...(personId !== null && { WhoId: personId }),
      ...(isCall && {
        TaskSubtype: 'Call',
        CallType: facts.outbound ? 'Outbound' : 'Inbound',
        CallDurationInSeconds: facts.durationSeconds,
      }),
      ...(config.owner_rule?.startsWith('005') && { OwnerId: config.owner_rule }),
    },
  };
}
