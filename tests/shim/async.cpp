/* async.cpp: copies to shared memory that a thread starts and waits for later. They read their
 * source at once. Their bytes arrive when they are waited for; until then nobody may touch their
 * places. */
#include "runtime.h"

#include <string.h>

namespace shim {

void cp_async(void *to, const void *from_memory, size_t size, size_t read, const void *from) {
    if ((size != 4 && size != 8 && size != 16) || read > size)
        fail((Place)from, "asynchronous copy of %zu bytes, %zu of them read", size, read);
    if (read && (uintptr_t)from_memory % size)
        fail((Place)from, "misaligned: an asynchronous copy of %zu bytes", size);
    if (read) memory_access((uintptr_t)from_memory, read, Access::read, false, (Place)from);
    memory_access((uintptr_t)to, size, Access::write, true, (Place)from);
    memory_in_flight((uintptr_t)to, size, true);
    std::vector<unsigned char> bytes(size);
    memcpy(bytes.data(), from_memory, read);
    world.running->copies.push_back({to, std::move(bytes), (Place)from});
}

void commit_async() {
    Thread &t = *world.running;
    t.groups.push_back(std::move(t.copies));
    t.copies.clear();
}

void wait_async(int pending, const void *) {
    Thread &t = *world.running;
    for (; (int)t.groups.size() > pending; t.groups.erase(t.groups.begin()))
        for (const AsyncCopy &c : t.groups[0]) {
            memory_in_flight((uintptr_t)c.to, c.bytes.size(), false);
            memory_access((uintptr_t)c.to, c.bytes.size(), Access::write, true, c.from);
            memcpy(c.to, c.bytes.data(), c.bytes.size());
        }
}

} // namespace shim
