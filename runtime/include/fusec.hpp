/* fusec.hpp: fusec.h for C++ (11 and later), header only: handles that release themselves, and
 * exceptions in place of statuses. fusec.h says what each function does, and
 * from which threads it may be called. Handles move; they are not copied. */
#ifndef FUSEC_HPP
#define FUSEC_HPP

#include "fusec.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace fusec {

/* A failure: the record of the thread, copied. what() has the diagnostics of a model that is wrong.
 */
class Error : public std::runtime_error {
  public:
    Error(const FusecError &e, const std::string &text)
        : std::runtime_error(text), status(e.status), file(e.file ? e.file : ""), line(e.line),
          column(e.column), argument(e.argument ? e.argument : ""),
          device_lost(e.device_lost != 0) {}

    FusecStatus status;
    std::string file;
    int line, column;
    std::string argument; /* that is wrong; "": none */
    bool device_lost;
};

inline void check(FusecStatus status) {
    if (status == FUSEC_OK) return;
    const FusecError *e = fusec_last_error();
    throw Error(*e, e->text);
}

/* Options with their struct_size set: auto o = fusec::options<FusecContextOptions>(); */
template <class Options> Options options() { return fusec_options<Options>(); }

namespace detail {
struct Release {
    void operator()(FusecContext *p) const { fusec_context_release(p); }
    void operator()(FusecModel *p) const { fusec_model_release(p); }
    void operator()(FusecFunction *p) const { fusec_function_release(p); }
    void operator()(FusecExecutable *p) const { fusec_executable_release(p); }
    void operator()(FusecMessages *p) const { fusec_messages_release(p); }
};
template <class T> using Handle = std::unique_ptr<T, Release>;

inline const FusecCallOptions *or_null(const FusecCallOptions &o) {
    return o.struct_size ? &o : nullptr;
}
} // namespace detail

/* The dims of a function, in the order in which it has them. */
using Dims = std::vector<std::int64_t>;

/* A function made ready for certain dims. */
class Executable {
  public:
    explicit Executable(FusecExecutable *handle) : handle_(handle) {}
    FusecExecutable *get() const { return handle_.get(); }

    std::size_t workspace() const {
        std::size_t bytes = 0;
        check(fusec_executable_workspace(get(), &bytes));
        return bytes;
    }
    std::string text(FusecText kind) const {
        const char *text = nullptr;
        check(fusec_executable_text(get(), kind, &text));
        return text;
    }
    /* Inputs, then outputs; inputs are only read. */
    void operator()(std::initializer_list<const void *> pointers,
                    const FusecCallOptions &call = FusecCallOptions()) const {
        execute(pointers.begin(), pointers.size(), call);
    }
    void operator()(const std::vector<void *> &pointers,
                    const FusecCallOptions &call = FusecCallOptions()) const {
        execute(pointers.data(), pointers.size(), call);
    }
    void operator()(const std::vector<const void *> &pointers,
                    const FusecCallOptions &call = FusecCallOptions()) const {
        execute(pointers.data(), pointers.size(), call);
    }

  private:
    void execute(const void *const *pointers, std::size_t count,
                 const FusecCallOptions &call) const {
        check(fusec_execute(get(), const_cast<void *const *>(pointers), count,
                            detail::or_null(call)));
    }
    detail::Handle<FusecExecutable> handle_;
};

class Function {
  public:
    explicit Function(FusecFunction *handle) : handle_(handle) {}
    FusecFunction *get() const { return handle_.get(); }

    std::string name() const {
        const char *name = fusec_function_name(get());
        if (!name) check(FUSEC_WRONG_ARGUMENT); /* this function was moved away */
        return name;
    }
    std::size_t input_count() const { return fusec_function_input_count(get()); }
    std::size_t argument_count() const { return fusec_function_argument_count(get()); }
    std::size_t dim_count() const { return fusec_function_dim_count(get()); }

    /* What it points to lives as long as the function. */
    FusecArgument argument(std::size_t index) const {
        FusecArgument a = options<FusecArgument>();
        check(fusec_function_argument(get(), index, &a));
        return a;
    }
    FusecDimInfo dim(std::size_t index) const {
        FusecDimInfo d = options<FusecDimInfo>();
        check(fusec_function_dim(get(), index, &d));
        return d;
    }
    std::string text(FusecText kind) const {
        const char *text = nullptr;
        check(fusec_function_text(get(), kind, &text));
        return text;
    }
    Dims shape(std::size_t index, const Dims &dims) const {
        check_count(dims);
        Dims shape(static_cast<std::size_t>(argument(index).rank));
        check(fusec_function_shape(get(), index, dims.data(), shape.data()));
        return shape;
    }
    FusecStats stats() const {
        FusecStats s = options<FusecStats>();
        check(fusec_function_stats(get(), &s));
        return s;
    }

    void bind(const std::string &name, const DLTensor &constant) {
        check(fusec_function_bind(get(), name.c_str(), &constant));
    }
    Executable prepare(const Dims &dims, const FusecPrepareOptions *prepare = nullptr) {
        check_count(dims);
        FusecExecutable *executable = nullptr;
        check(fusec_prepare(get(), dims.data(), prepare, &executable));
        return Executable(executable);
    }
    /* Inputs, then outputs. */
    void operator()(std::initializer_list<const DLTensor *> tensors,
                    const FusecCallOptions &call = FusecCallOptions()) const {
        check(fusec_call(get(), tensors.begin(), tensors.size(), detail::or_null(call)));
    }
    void operator()(const std::vector<const DLTensor *> &tensors,
                    const FusecCallOptions &call = FusecCallOptions()) const {
        check(fusec_call(get(), tensors.data(), tensors.size(), detail::or_null(call)));
    }

  private:
    /* The C functions read a value for each dim, however many there are. */
    void check_count(const Dims &dims) const {
        if (dims.size() == dim_count()) return;
        std::string names;
        for (std::size_t i = 0; i < dim_count(); i++)
            names += (i ? ", " : "") + std::string(dim(i).name);
        FusecError e = FusecError();
        e.status = FUSEC_WRONG_ARGUMENT;
        e.argument = "dims";
        throw Error(e, name() + "[" + names + "] takes " + std::to_string(dim_count()) +
                           " dims, not " + std::to_string(dims.size()));
    }
    detail::Handle<FusecFunction> handle_;
};

class Model {
  public:
    explicit Model(FusecModel *handle) : handle_(handle) {}
    FusecModel *get() const { return handle_.get(); }

    std::vector<std::string> functions() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < fusec_model_function_count(get()); i++)
            names.push_back(fusec_model_function_name(get(), i));
        return names;
    }
    /* Of a model with one function. */
    Function function(const FusecFunctionOptions *options = nullptr) const {
        return make(nullptr, options);
    }
    Function function(const std::string &name,
                      const FusecFunctionOptions *options = nullptr) const {
        return make(name.c_str(), options);
    }

    void save(const std::string &path) const { check(fusec_model_save(get(), path.c_str())); }

  private:
    Function make(const char *name, const FusecFunctionOptions *options) const {
        FusecFunction *function = nullptr;
        check(fusec_function_create(get(), name, options, &function));
        return Function(function);
    }
    detail::Handle<FusecModel> handle_;
};

class Context {
  public:
    explicit Context(const FusecContextOptions &given = options<FusecContextOptions>()) {
        FusecContext *context = nullptr;
        check(fusec_context_create(&given, &context));
        handle_.reset(context);
    }
    FusecContext *get() const { return handle_.get(); }

    Model from_text(const std::string &name, const std::string &text,
                    const FusecModelOptions *options = nullptr) const {
        FusecModel *model = nullptr;
        FusecMessages *messages = nullptr;
        FusecStatus status = fusec_model_from_text(get(), name.c_str(), text.data(), text.size(),
                                                   options, &messages, &model);
        return finish(status, messages, model);
    }
    Model from_file(const std::string &path, const FusecModelOptions *options = nullptr) const {
        FusecModel *model = nullptr;
        FusecMessages *messages = nullptr;
        FusecStatus status = fusec_model_from_file(get(), path.c_str(), options, &messages, &model);
        return finish(status, messages, model);
    }

    Model from_artifact(const std::string &path) const {
        FusecModel *model = nullptr;
        FusecMessages *messages = nullptr;
        FusecStatus status = fusec_model_from_artifact(get(), path.c_str(), &messages, &model);
        return finish(status, messages, model);
    }

  private:
    static Model finish(FusecStatus status, FusecMessages *messages, FusecModel *model) {
        detail::Handle<FusecMessages> said(messages);
        if (status == FUSEC_WRONG_MODEL)
            throw Error(*fusec_last_error(), fusec_messages_text(said.get()));
        check(status);
        return Model(model);
    }
    detail::Handle<FusecContext> handle_;
};

} // namespace fusec

#endif
