// GDAL's messages, held back until it is known whether they matter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cpl_error.h"

namespace gdalgpu {

// Keeps the messages of a scope, to be given out again or dropped. The last error that the caller
// knows of stays as it was.
class HeldMessages {
  public:
    struct Message {
        CPLErr kind;
        CPLErrorNum number;
        std::string text;
    };

    HeldMessages() {
        CPLPushErrorHandlerEx(Collect, &messages_);
        CPLSetCurrentErrorHandlerCatchDebug(FALSE);
    }
    ~HeldMessages() { End(); }
    HeldMessages(const HeldMessages&) = delete;
    HeldMessages& operator=(const HeldMessages&) = delete;

    // Gives the messages to the user, and holds no more. The last error is the scope's.
    void Release() {
        const CPLErrorNum number = CPLGetLastErrorNo();
        const CPLErr kind = CPLGetLastErrorType();
        const std::string text = CPLGetLastErrorMsg();
        End();
        for (const Message& message : messages_)
            CPLError(message.kind, message.number, "%s", message.text.c_str());
        CPLErrorSetState(kind, number, text.c_str());
    }

    const std::vector<Message>& messages() const { return messages_; }

  private:
    void End() {
        if (callers_error_ == nullptr) return;
        CPLPopErrorHandler();
        callers_error_.reset();  // restores it
    }

    static void CPL_STDCALL Collect(CPLErr kind, CPLErrorNum number, const char* text) {
        static_cast<std::vector<Message>*>(CPLGetErrorHandlerUserData())
            ->push_back({kind, number, text});
    }

    std::vector<Message> messages_;
    std::unique_ptr<CPLErrorStateBackuper> callers_error_ =
        std::make_unique<CPLErrorStateBackuper>();  // while messages are held
};

}  // namespace gdalgpu
