/** Public API of the UI kit; ui/README.md explains how to write a screen. */
export {
  api,
  apiWithHeaders,
  rawRequest,
  formFields,
  onLogout,
  ApiError,
  type ApiInput,
} from './api.ts';
export {
  optimisticUpdate,
  queryKeyOf,
  createQueryClient,
  invalidate,
  useApiQuery,
  useApiInfiniteQuery,
  useApiMutation,
  type Undo,
} from './use-api.ts';
export {
  connectLive,
  disconnectLive,
  onLiveEvent,
  registerCacheUpdater,
  setChannels,
  useLiveEvent,
  useLiveState,
  whisper,
} from './live.ts';
export { toast, type ToastContent } from './toast.ts';
export {
  canCall,
  clearSession,
  lastPermissions,
  startSession,
  hasPermission,
  replaceToken,
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
  readFilters,
  setNavigator,
  useFilters,
  useLeaveGuard,
  usePath,
  currentLocation,
  writeFilters,
} from './address.ts';
export { isTyping, formatKeys, useShortcuts, type Shortcut } from './shortcuts.ts';
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
export { bindFieldErrors, focusFirstError } from './form.ts';
export { usePageSize } from './page-size.ts';
export { useEditableValue } from './use-editable-value.ts';
export { createStore, useStore, type Store } from './store.ts';
export { chartColors, rowHeight, weight } from './theme.ts';
export { Chips } from './components/Chips.tsx';
export { Page, PageSkeleton, Section, scrollTabIntoView } from './components/Page.tsx';
export { EmptyState, ErrorState } from './components/States.tsx';
export {
  CountBadge,
  Facts,
  Hidden,
  PersonAvatar,
  PhoneNumber,
  StatusBadge,
  Time,
  type Tone,
} from './components/Bits.tsx';
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
export { AppFrame } from './components/AppFrame.tsx';
