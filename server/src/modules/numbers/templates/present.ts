import type { routing, templates as contract } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import { contactDestinations } from '../forwarding/contact-destinations.ts';
import { presentRoutes } from './rules.ts';
import type { TemplateView } from './store.ts';

/** Templates as the API shows them, with the current destinations of forwarding contacts. */
export async function presentTemplates(
  tx: Tx,
  companyId: number,
  rows: readonly TemplateView[],
): Promise<contract.NumberTemplate[]> {
  const routesIn = (row: TemplateView) => row.routes as routing.RouteIn[];
  const contactIds = rows.flatMap((row) =>
    routesIn(row).flatMap((route) => route.forwards.flatMap((forward) => forward.contact_id ?? [])),
  );
  const contacts = await contactDestinations(tx, companyId, [...new Set(contactIds)]);
  return rows.map((row) => ({
    id: row.id,
    companyId: row.company_id,
    name: row.name,
    description: row.description,
    routes: presentRoutes(routesIn(row), contacts),
    record: row.record,
    call_transcription_enabled: row.call_transcription_enabled,
    ai_eav_enabled: row.ai_eav_enabled,
    recording_announcement: row.recording_announcement as 'none',
    recording_announcement_text: row.recording_announcement_text,
    schedule_id: row.schedule_id,
    greeting_id: row.greeting_id,
    voicemail: {
      enabled: row.voicemail_enabled,
      greeting_id: row.voicemail_greeting_id,
      greeting: row.voicemail_greeting,
      transcribe: row.voicemail_transcribe,
      email: row.voicemail_emails,
      sms_notify: row.voicemail_sms_notify,
    },
    tags: row.tags,
    sms_enabled: row.sms_enabled,
    is_default: row.is_default,
    usage_count: row.used,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }));
}
