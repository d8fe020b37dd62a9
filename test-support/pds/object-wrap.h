// Included before all code that install.mjs compiles.
//
// The destructor of ObjectWrap in Node 24.21 removes itself from a list that it gets from the current context. A
// garbage collection between two events has no current context, so the process aborts. This affects one start in eight
// of a server that keeps its statements in SQLite. Without the list, only the cleanup at process exit is skipped.
#include <node.h>
#define AddEnvironmentCleanupHook(isolate, hook, argument) ((void)0)
#define RemoveEnvironmentCleanupHook(isolate, hook, argument) ((void)0)
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
