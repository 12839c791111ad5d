import type pg from 'pg';

/**
 * Campaigns of a company that `fillInbox` filled may begin: its numbers have an approved
 * registration with the best score, and no hour is quiet.
 */
export async function allowCampaigns(owner: pg.Pool, companyId: number): Promise<void> {
  await owner.query(
    `update company set settings = settings
      || '{"quiet_hours": {"start": "00:00", "end": "00:00", "mode": "company"}, "max_campaign_size": 200000}'
      where id = $1`,
    [companyId],
  );
  await owner.query(
    `insert into sms_brand (company_id, id, status, score, created_at, updated_at) values ($1, 1, 'approved', 90, now(), now())`,
    [companyId],
  );
  await owner.query(
    `insert into sms_campaign (company_id, id, brand_id, is_draft, details, created_at, updated_at)
      values ($1, 1, 1, false, '{"monthly_volume": "10,001-25,000"}', now(), now())`,
    [companyId],
  );
  await owner.query(
    `insert into registration_review (company_id, campaign_id, kind, carrier, status, submitted_at)
      values ($1, 1, 'local', 'sandbox', 'approved', now())`,
    [companyId],
  );
  await owner.query(
    `insert into sms_campaign_number (company_id, campaign_id, number_id, number, kind, state,
        added_at) select company_id, 1, id, number, 'local', 'approved', now()
      from number where company_id = $1`,
    [companyId],
  );
  await owner.query(
    `update number set sms_verification_campaign_id = 1, sms_verification_status = 'approved' where company_id = $1`,
    [companyId],
  );
}

/** A campaign of the number with the same ID. It begins once `wake_at` is set. */
export async function addCampaign(
  owner: pg.Pool,
  companyId: number,
  id: number,
  { offset, recipients }: { offset: number; recipients: number },
): Promise<void> {
  await owner.query(
    `insert into campaign (company_id, id, title, text, unsubscribe_text, state, number_id, zones,
        started_at, created_at, updated_at, quiet_hours)
      values ($1, $2, 'Bench', 'Hi {{first_name|there}}, whitening is 20% off until Friday.',
        'Reply STOP to stop.', 'sending', $2, '{UTC}', now(), now(), now(),
        '{"start":"00:00","end":"00:00","mode":"company"}')`,
    [companyId, id],
  );
  // Each campaign has recipients that no other has, so none is skipped as recently texted.
  await owner.query(
    `insert into campaign_recipient (company_id, campaign_id, contact_id, to_number, zone)
      select company_id, $2, id, number, 'UTC'
      from contact where company_id = $1 order by id offset $3 limit $4`,
    [companyId, id, offset, recipients],
  );
  // As the start of a campaign does.
  await owner.query(
    `select enqueue_job('campaigns.collectStatistics', '{}', null, null, 3, 'campaigns.collectStatistics', null)`,
  );
}
