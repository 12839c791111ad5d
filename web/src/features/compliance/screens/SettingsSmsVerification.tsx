import { Button, Menu } from '@mantine/core';
import { IconMessageCheck } from '@tabler/icons-react';
import { companies } from '#contract';
import { createSmsCampaign, listSmsCampaigns } from '#contract/compliance/registration/endpoints';
import {
  registrationStatuses,
  verificationFreshSeconds,
} from '#contract/compliance/registration/lists';
import {
  DataList,
  navigate,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  useApiMutation,
} from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { initialRegistration } from '../registration/initial-registration.ts';
import { brandName, statusName, caseName, type RegistrationView } from '../registration/labels.ts';
import { registrationColumns } from '../registration/registration-columns.tsx';
import { OnlyRegisteredSwitch } from '../registration/OnlyRegisteredSwitch.tsx';

const defaultFilters = { search: '', status: '', page: 1, sort: 'created_at', dir: 'desc' };
/**
 * Brands and campaigns registered for texting, and the setting that only registered numbers can
 * text.
 */
export default function SettingsSmsVerification() {
  const registrations = useRegistrationList();
  const { filters, set, response } = registrations;
  const mayEdit = usePermission('smsVerification.edit');
  const { begin, isPending } = useNewRegistration(mayEdit);
  const button = (
    <Button loading={isPending} onClick={() => begin()}>
      {t('Register a brand')}
    </Button>
  );
  const brands = approvedBrands(response?.data ?? []);
  const register =
    brands.length === 0 ? (
      button
    ) : (
      <RegisterMenu brands={brands} isPending={isPending} begin={begin} />
    );
  return (
    <SettingsFrame
      title={t('SMS verification')}
      layout="fill"
      description={t(
        'Carriers want to know which businesses text customers, and why. Registered numbers have better delivery and higher sending limits.',
      )}
      action={mayEdit && register}
      filters={
        <ListFilters list={registrations} label={t('Search registrations')}>
          <FilterSelect
            label={t('Status')}
            any={t('Any status')}
            w={170}
            value={filters.status}
            options={registrationStatuses.map((status) => [status, statusName(status)])}
            onChange={(status) => set({ status })}
          />
        </ListFilters>
      }
    >
      <DataList
        label={t('Registrations')}
        {...registrations.list}
        rowKey={(v) => v.id}
        rowLabel={(v) => `${brandName(v)}, ${caseName(v)}`}
        columns={registrationColumns()}
        comfortable
        href={(v) => `/settings/sms-verification/${v.id}`}
        empty={
          <ListEmpty
            list={registrations}
            icon={IconMessageCheck}
            noMatch={t('No registrations match')}
            title={t('No registrations yet')}
            action={mayEdit && button}
          >
            {t(
              'Say who you are and what you text. Reviews usually take a few days. In the sandbox they take a minute.',
            )}
          </ListEmpty>
        }
      />
      <OnlyRegisteredSwitch
        on={response?.meta['texting_requires_verification'] === true}
        known={response !== undefined}
      />
    </SettingsFrame>
  );
}

/** The registrations that match the filters in the URL. */
const useRegistrationList = () =>
  useListScreen(listSmsCampaigns, {
    key: 'sms-verification',
    perPage: 25,
    filters: defaultFilters,
    input: (filters, perPage) => ({
      params: { companyId: ':companyId' },
      query: {
        ...filters,
        status: filters.status || null,
        search: filters.search || null,
        perPage,
      },
    }),
    staleTime: verificationFreshSeconds * 1000,
  });

/** Starts a registration, of a new brand with the company's details or of an approved brand by ID. */
function useNewRegistration(mayEdit: boolean) {
  const companyId = useCompanyId();
  const company = useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null && mayEdit, staleTime: 60_000, silent: true },
  );
  const { mutate, isPending } = useApiMutation(createSmsCampaign, {
    invalidates: [listSmsCampaigns],
    onSuccess: (made) => navigate(`/settings/sms-verification/${made.data.id}`),
  });
  const begin = (brandId?: number): void =>
    void mutate({
      params: { companyId: ':companyId' },
      body: brandId
        ? { is_draft: true, brand_id: brandId }
        : initialRegistration(company.response?.data),
    });

  return { begin, isPending };
}

/** Brands that are approved and can have another campaign, with their names. */
const approvedBrands = (
  registrations: readonly RegistrationView[],
): [id: number, name: string][] => [
  ...new Map(
    registrations
      .filter((v) => v.brand.status === 'approved')
      .map((v) => [v.brand.id, brandName(v)]),
  ),
];

function RegisterMenu({
  brands,
  isPending,
  begin,
}: {
  brands: [id: number, name: string][];
  isPending: boolean;
  begin: (brandId?: number) => void;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button loading={isPending}>{t('Register')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => begin()}>{t('A new brand')}</Menu.Item>
        {brands.map(([id, name]) => (
          <Menu.Item key={id} onClick={() => begin(id)}>
            {t('Another campaign of {name}', { name })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
