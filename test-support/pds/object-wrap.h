// Included before everything that is compiled here (install.mjs).
//
// The ObjectWrap of Node 24.21 takes itself off a list when it is destroyed, and asks the current context for that
// list. A garbage collection between two events has no current context, and the process aborts: one start in eight of
// a server that keeps its statements in SQLite. Without the list nothing is missed but a tidy-up at the end of the
// process.
#include <node.h>
#define AddEnvironmentCleanupHook(isolate, hook, argument) ((void)0)
#define RemoveEnvironmentCleanupHook(isolate, hook, argument) ((void)0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
