/** Public API of the UI kit; ui/README.md explains how to write a screen. */
export { api, formFields, onLogout, onSessionExpired, ApiError, type ApiInput } from './api.ts';
export {
  optimisticUpdate,
  queryKeyOf,
  createQueryClient,
  invalidate,
  type Undo,
} from './query-cache.ts';
export { useApiQuery, useApiInfiniteQuery } from './use-api.ts';
export { useApiMutation } from './use-api-mutation.ts';
export {
  connectLive,
  disconnectLive,
  onLiveEvent,
  registerCacheUpdater,
  setChannels,
  useLiveEvent,
  useLiveState,
} from './live.ts';
export { toast } from './toast.ts';
export { download, interceptDownloads } from './api/downloads.ts';
export {
  canCall,
  clearSession,
  forgetRemoteSession,
  lastPermissions,
  readsOnly,
  startRemoteSession,
  startSession,
  hasPermission,
  selectCompany,
  session,
  useCompanyId,
  usePermission,
  setUser,
  useSession,
  useUser,
  type CurrentUser,
  type Tokens,
} from './session.ts';
export { t, setLocale } from './i18n.ts';
export * from './format.ts';
export {
  navigate,
  setNavigator,
  useFilters,
  usePath,
  currentLocation,
  type FilterValue,
} from './address.ts';
export { interceptLinks } from './intercept-links.ts';
export { isTyping, formatKeys, useShortcuts } from './shortcuts.ts';
export {
  openPalette,
  registerCommands,
  registerSearchProvider,
  useCommands,
  type Command,
} from './commands.ts';
export { updateBatch, setBatchPoller, trackBatch } from './batches.ts';
export { setProduct, setUnread, useTitle } from './title.ts';
export { useNow } from './use-now.ts';
export { bindFieldErrors, focusFirstError, useFollowSaved } from './form.ts';
export { usePageSize } from './page-size.ts';
export { useEditableValue } from './use-editable-value.ts';
export { createStore, useStore, type Store } from './store.ts';
export { ConfirmIdentityHost } from './components/confirm/ConfirmIdentity.tsx';
export { Chips } from './components/Chips.tsx';
export { Page, PageSkeleton, Section, scrollTabIntoView } from './components/Page.tsx';
export { EmptyState, ErrorState } from './components/States.tsx';
export { CountBadge, StatusBadge, type Tone } from './components/Badges.tsx';
export { Facts } from './components/Facts.tsx';
export { PersonAvatar } from './components/PersonAvatar.tsx';
export { PhoneNumber } from './components/PhoneNumber.tsx';
export { Time } from './components/Time.tsx';
export { Hidden } from './components/VisuallyHidden.tsx';
export { FilterBar, SearchField } from './components/Filters.tsx';
export { DataList, type Column, type Sort } from './components/DataList.tsx';
export {
  formatTotal,
  isCapped,
  Paging,
  type PageMeta,
  type PagingProps,
} from './components/Paging.tsx';
export { confirm, confirmTyped, showUndoToast, useUnsavedGuard } from './components/Dialogs.tsx';
export {
  Drawer,
  prefetchComponents,
  importWithRetry,
  lazyComponent,
  Modal,
  NumberInput,
} from './components/Lazy.tsx';
export { SplitPanes } from './components/SplitPanes.tsx';
export { CommandPalette } from './components/CommandPalette.tsx';
export { KeyboardHelp } from './components/KeyboardHelp.tsx';
export { AppProvider } from './AppProvider.tsx';
export { mountApp } from './mount-app.tsx';
export { lazyScreen, reloadOnStaleBundle } from './reload-on-stale-bundle.ts';
export { CodeEntry, ResendCode } from './components/CodeEntry.tsx';
export { AppFrame } from './components/AppFrame.tsx';
