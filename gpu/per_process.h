// State that a forked child must not inherit: locks that a vanished thread may hold, and threads
// that are gone.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>

namespace gpu {

// Holds one T for this process; after a fork the child gets a fresh one, and the parent's is left
// as it lies.
template <class T>
class PerProcess {
  public:
    explicit PerProcess(std::function<T*()> make)
        : make_(std::move(make)), slot_(new Slot{getpid(), make_()}) {}
    PerProcess(const PerProcess&) = delete;
    PerProcess& operator=(const PerProcess&) = delete;
    ~PerProcess() {
        Slot* slot = slot_.load();
        if (slot->process == getpid()) {
            delete slot->value;
            delete slot;
        }
    }

    T& get() {
        Slot* slot = slot_.load();
        const pid_t process = getpid();
        if (slot->process != process) {
            auto fresh = std::make_unique<Slot>(Slot{process, make_()});
            if (slot_.compare_exchange_strong(slot, fresh.get())) {
                slot = fresh.release();
            } else {
                delete fresh->value;
            }
        }
        return *slot->value;
    }

  private:
    struct Slot {
        pid_t process;
        T* value;
    };

    std::function<T*()> make_;
    std::atomic<Slot*> slot_;
};

}  // namespace gpu
