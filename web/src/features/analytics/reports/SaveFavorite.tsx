import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { favorites } from '#contract';
import { mailedPath } from '#contract/analytics/favorites/rules';
import { bindFieldErrors, Modal, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { favoriteAddress } from './favorite-address.ts';
import {
  scheduleChoice,
  scheduleWanted,
  type Favorite,
  type FavoriteForm,
} from './favorite-form.ts';
import { ScheduleFields } from './ScheduleFields.tsx';

interface SaveFavoriteProps {
  /** null: a new one. */
  favorite: Favorite | null;
  /** The screen, and the filters that it has now. */
  path: string;
  shown: Record<string, string>;
  close: () => void;
}

/** The form of a favorite, new (null) or not, and how it is saved. */
function useFavoriteForm({ favorite, path, shown, close }: SaveFavoriteProps) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm<FavoriteForm>({
    initialValues: {
      name: favorite?.name ?? '',
      shared: favorite?.shared ?? false,
      replaces: false,
      schedule: scheduleChoice(favorite?.schedule ?? null),
    },
    validate: {
      name: (name) => (name.trim() ? null : t('Enter a name.')),
      schedule: {
        recipients: (list, { schedule }) =>
          schedule.frequency !== 'never' && list.length === 0 ? t('Enter an email address.') : null,
      },
    },
  });
  const options = {
    invalidates: [favorites.listFavoriteReports],
    onFieldErrors: bindFieldErrors(form, {}),
    onSuccess: close,
  };
  const create = useApiMutation(favorites.createFavoriteReport, {
    ...options,
    success: t('Search added to favorites'),
  });
  const update = useApiMutation(favorites.updateFavoriteReport, {
    ...options,
    success: t('Search updated in favorites'),
  });
  const value = { path, filters: shown };
  const save = form.onSubmit(({ name, shared, replaces, schedule }) => {
    // Left alone it isn’t sent: people who can’t export keep theirs as it is.
    const body = {
      ...{ company_id: companyId, name, shared },
      ...(form.isDirty('schedule') && { schedule: scheduleWanted(schedule) }),
    };
    void (favorite
      ? update.mutate({
          params: { id: favorite.id },
          body: { ...body, ...(replaces && { value }) },
        })
      : create.mutate({ body: { ...body, value } }));
  });
  return { form, save, isSaving: create.isPending || update.isPending };
}

/** Whether the favorite opens a report of calls, which can be emailed. */
const opensReport = ({ favorite, path }: SaveFavoriteProps): boolean =>
  (favorite ? favoriteAddress(favorite.value)?.split('?')[0] : path) === mailedPath;

/** Keeps what is shown as a favorite, or changes one. */
export function SaveFavorite(props: SaveFavoriteProps) {
  const { favorite, close } = props;
  const { form, save, isSaving } = useFavoriteForm(props);
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('Close') }}
      opened
      onClose={close}
      title={favorite ? t('Edit favorite') : t('Add to favorites')}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Checkbox
            label={t('Share with everyone in the company')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          {favorite && (
            <Checkbox
              label={t('Open what is shown now')}
              {...form.getInputProps('replaces', { type: 'checkbox' })}
            />
          )}
          {opensReport(props) && <ScheduleFields form={form} favorite={favorite} />}
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isSaving}>
              {t('Save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
