import { useQueryClient } from '@tanstack/react-query';
import {
  cancelSmsCampaign,
  getSmsCampaign,
  listSmsCampaigns,
} from '#contract/compliance/registration/endpoints';
import {
  cancelRefreshSeconds,
  type RegistrationKind,
} from '#contract/compliance/registration/lists';
import { confirm, invalidate, optimisticUpdate, t, useApiMutation, type Undo } from '#ui';
import { kindName } from './labels.ts';

/** Ends the registration of one kind of number, after a confirmation. */
export function useCancelRegistration(registrationId: number) {
  const cache = useQueryClient();
  const { mutate, isPending } = useApiMutation(cancelSmsCampaign, {
    success: t('Cancel request received (can take a few minutes)'),
    // The status is shown as expired right away; the carrier's status is refetched after
    // `cancelRefreshSeconds`.
    optimistic: (store, input) => {
      const { type } = input.body as { type: RegistrationKind };
      const undos: Undo[] = [
        optimisticUpdate(store, getSmsCampaign, (response) =>
          response.data.id === registrationId
            ? {
                ...response,
                data: { ...response.data, status: { ...response.data.status, [type]: 'expired' } },
              }
            : undefined,
        ),
        optimisticUpdate(store, listSmsCampaigns, (response) => ({
          ...response,
          data: response.data.map((v) =>
            v.id === registrationId ? { ...v, status: { ...v.status, [type]: 'expired' } } : v,
          ),
        })),
      ];
      return () => {
        for (const undo of undos) undo();
      };
    },
    onSuccess: () =>
      void setTimeout(
        () => invalidate(cache, getSmsCampaign.name, listSmsCampaigns.name),
        cancelRefreshSeconds * 1000,
      ),
  });
  const cancel = async (kind: RegistrationKind): Promise<void> => {
    const sure = await confirm({
      title: t('End this registration?'),
      body: t('{kind} will no longer be verified. A new registration starts a new review.', {
        kind: kindName(kind),
      }),
      confirmLabel: t('End registration'),
      cancelLabel: t('Keep it'),
      danger: true,
    });
    if (sure)
      await mutate({
        params: { companyId: ':companyId', id: registrationId },
        body: { type: kind },
      });
  };
  return { cancel, isPending };
}
