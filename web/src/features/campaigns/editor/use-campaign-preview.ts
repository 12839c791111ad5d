import { useDebouncedValue } from '@mantine/hooks';
import { campaigns } from '#contract';
import { useApiQuery } from '#ui';
import type { Campaign } from '../use-campaign-actions.ts';
import { toRuleInput, type CampaignValues } from './campaign-values.ts';

/**
 * Recipients and cost as the server counts them, fetched 400 ms after the last change. Undefined
 * without a group or until the first response.
 */
export function useCampaignPreview(
  values: CampaignValues,
  campaign: Campaign | null,
  zone: string,
): { preview: campaigns.CampaignPreview | undefined; refreshing: boolean } {
  const { withMedia, groups, ...rest } = toRuleInput(values);
  const [body] = useDebouncedValue(
    {
      ...rest,
      groups: [...groups],
      with_media: withMedia,
      timezone: zone,
      quiet_hours: campaign?.quiet_hours ?? null,
    },
    400,
  );
  const hasGroup = body.groups.length > 0;
  const { response, fetching } = useApiQuery(
    campaigns.previewUnsaved,
    { body },
    { enabled: hasGroup, silent: true },
  );
  return { preview: hasGroup ? response?.data : undefined, refreshing: fetching };
}
