import type { Answer, tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { companyKey as keyOf } from '../visits/tokens.ts';
import { currentRelease, releases } from './releases.ts';
import { snippetsOf } from './snippets.ts';
import { firstPartySetting, formSetting, isScriptEnabled, sitesSeen } from './store.ts';

/** The company's script in every form that can be copied, and the websites it was seen on. */
export async function getScript({
  tx,
  companyId,
  settings,
}: TxCtx): Promise<Answer<typeof contract.getScript>> {
  const companyKey = keyOf(settings.appSecrets, companyId);
  const { version, integrity } = currentRelease();
  const own = new URL(settings.publicUrl);
  const host = await firstPartySetting(tx, companyId);
  const origin = host === null ? own.origin : `https://${host}`;
  const forms = await formSetting(tx, companyId);
  const sites = await sitesSeen(tx, companyId);
  return {
    data: {
      companyKey,
      version,
      isEnabled: await isScriptEnabled(tx, companyId),
      forms: {
        ...forms,
        snippet: `<script async src="${origin}/t/${companyKey}/1/forms.js"></script>`,
      },
      firstParty: { host, target: own.hostname },
      ...(await snippetsOf({ origin, companyKey, version, integrity })),
      installed: {
        lastSeenAt: sites[0]?.last_seen_at.toISOString() ?? null,
        domains: sites.map((site) => ({
          host: site.host,
          lastSeenAt: site.last_seen_at.toISOString(),
          version: site.version,
          swapped: site.swapped,
          swappedAt: site.swapped_at?.toISOString() ?? null,
          firstPartyHost: site.first_party_host,
          firstPartyAt: site.first_party_at?.toISOString() ?? null,
        })),
      },
      versions: releases().map((one) => ({
        version: one.version,
        at: one.at,
        integrity: one.integrity,
        notes: one.notes,
      })),
      changelogUrl: `${own.origin}/t/changelog.json`,
    },
  };
}
