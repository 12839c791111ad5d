import {
  startChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';

/** The address that a favorite opens; null: its text can’t be read. */
export function favoriteAddress(value: string): string | null {
  try {
    const { path, filters } = JSON.parse(value) as {
      path: string;
      filters?: Record<string, unknown>;
    };
    // Only addresses of the app.
    if (!/^\/(?![/\\])/.test(path)) return null;
    const search = new URLSearchParams(
      Object.entries(filters ?? {}).map(([key, one]) => [key, String(one)]),
    ).toString();
    return search ? `${path}?${search}` : path;
  } catch {
    return null;
  }
}

/** The choices of a favorite that opens a report of calls; what it leaves out is as usual. */
export function favoriteChoices(value: string): ReportChoices {
  const address = favoriteAddress(value)?.split('?')[1] ?? '';
  const known = [...new URLSearchParams(address)].filter(([key]) => key in startChoices);
  return { ...startChoices, ...Object.fromEntries(known) };
}
